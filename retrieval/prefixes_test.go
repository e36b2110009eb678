package retrieval_test

import (
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/openai"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/ingest"
	"lens/store/shard"
)

// Queries get the prefix of the generation that is searched: none until the next one, which has some, is complete.
func TestPeek_PrefixesOfActiveGeneration(t *testing.T) {
	for name, st := range map[string]store.Store{"SQLite": openSQLite(t), "Postgres": openPostgres(t)} {
		t.Run(name, func(t *testing.T) {
			server := embedtest.New(t, embedtest.Options{})
			model := openai.New(server.Client(), openai.Options{BaseURL: server.URL, Model: "nomic-embed-text", MaxInputs: 1, MaxAttempts: 1})
			path := records(t, `{"id":"1","text":"A starter needs flour."}`, `{"id":"2","text":"Trains to Kyoto."}`)
			archivetest.Import(t, st, path)
			e := retrieval.New(st, model)
			search := func(text, received string, recipe string) {
				t.Helper()
				p, err := e.Peek(t.Context(), query.Query{Text: text, Mode: query.Dense})
				if err != nil || len(p.Matches) != 2 {
					t.Fatalf("found %+v, %v", p, err)
				}
				if all := server.Texts(); all[len(all)-1] != received {
					t.Errorf("the server received %q, want %q", all[len(all)-1], received)
				}
				r, err := e.Retrieve(t.Context(), query.Query{Text: text}, retrieval.RetrieveOptions{})
				if err != nil || r.Model.ID != "nomic-embed-text@"+recipe {
					t.Errorf("retrieved with %+v, %v", r, err)
				}
			}
			archivetest.Embed[embed.Embedding](t, st, model)
			search("bread", "bread", "recipe-1")

			opts := ingest.EmbedOptions{Prefixes: store.Prefixes{Query: "search_query: ", Document: "search_document: "}}
			opts.Filter.Conversation = matchOf(t, e, "flour").Conversation // as if the run was interrupted
			_, err := ingest.Embed[embed.Embedding](t.Context(), st, model, opts)
			testenv.Must(t, err)
			search("rye", "rye", "recipe-1")

			opts.Filter = store.Filter{}
			report, err := ingest.Embed[embed.Embedding](t.Context(), st, model, opts)
			testenv.Must(t, err)
			if report.Embedded != 1 || !report.Generation.Active {
				t.Errorf("resumed with %+v", report)
			}
			for _, text := range []string{"A starter needs flour.", "Trains to Kyoto."} {
				for _, want := range []string{text, "search_document: " + text} {
					if n := len(slices.DeleteFunc(server.Texts(), func(s string) bool { return s != want })); n != 1 {
						t.Errorf("%q was received %d times", want, n)
					}
				}
			}
			search("bread", "search_query: bread", "recipe-1-"+strings.Split(report.Generation.RecipeName(), "-")[1])
			turn, err := e.EmbeddedTurn(t.Context(), matchOf(t, e, "bread").TurnID.String())
			if err != nil || turn.Embedding.Prefix != "search_document: " || strings.Contains(*turn.ContentUsed, "search_document") {
				t.Errorf("embedded %+v of %q, %v", turn.Embedding, *turn.ContentUsed, err)
			}
		})
	}
}

func matchOf(t *testing.T, e *retrieval.Engine, text string) retrieval.Match {
	t.Helper()
	p, err := e.Peek(t.Context(), query.Query{Text: text})
	testenv.Must(t, err)
	return p.Matches[0]
}

func TestRetriever_PrefixesOfPublishedIndex(t *testing.T) {
	st, server := openSQLite(t), embedtest.New(t, embedtest.Options{})
	model := openai.New(server.Client(), openai.Options{BaseURL: server.URL, Model: "e5"})
	archivetest.Import(t, st, records(t, `{"id":"1","text":"A starter needs flour."}`))
	_, err := ingest.Embed[embed.Embedding](t.Context(), st, model, ingest.EmbedOptions{
		Prefixes: store.Prefixes{Query: "query: ", Document: "passage: "},
	})
	testenv.Must(t, err)
	folder := shard.NewFolder(t.TempDir())
	_, err = shard.Publish(t.Context(), st, folder, shard.PublishOptions{})
	testenv.Must(t, err)
	index := shard.NewIndex(folder, folder, shard.Options{})
	defer index.Close()
	r := retrieval.NewRetriever(shards{index}, model)
	if found, err := r.Retrieve(t.Context(), query.Query{Text: "bread"}, retrieval.RetrieveOptions{}); err != nil || len(found.Results) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
	if all := server.Texts(); !slices.Equal(all, []string{"passage: A starter needs flour.", "query: bread"}) {
		t.Errorf("the server received %q", all)
	}
}
