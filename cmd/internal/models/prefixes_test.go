package models_test

import (
	"strings"
	"testing"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/internal/testenv"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/query"
)

const (
	instruct = "Instruct: Given a question, retrieve the passages of a chat history that answer it\nQuery:"
	passages = "Represent this sentence for searching relevant passages: "
)

// What a server receives, for a model of each row of the table.
func TestPrefixes_ServerReceives(t *testing.T) {
	for _, c := range []struct {
		model, query, document string
		setQuery, setDocument  *string
	}{
		{model: "nomic-embed-text", query: "search_query: ", document: "search_document: "},
		{model: "nomic-ai/modernbert-embed-base", query: "search_query: ", document: "search_document: "},
		{model: "multilingual-e5-small", query: "query: ", document: "passage: "},
		{model: "multilingual-e5-large-instruct", query: instruct + " "},
		{model: "gte-Qwen2-1.5B-instruct", query: instruct + " "},
		{model: "qwen3-embedding:0.6b", query: instruct},
		{model: "snowflake-arctic-embed2", query: "query: "},
		{model: "snowflake-arctic-embed-l-v2.0", query: "query: "},
		{model: "bge-base-en-v1.5", query: passages},
		{model: "mxbai-embed-large:335m", query: passages},
		{model: "snowflake-arctic-embed:22m", query: passages},
		{model: "embeddinggemma:300m", query: "task: search result | query: ", document: "title: none | text: "},
		{model: "text-embedding-3-large"},
		{model: "bge-m3"},
		{model: "all-minilm"},
		{model: "gte-base"},
		{model: "granite-embedding:30m"},
		{model: "nomic-embed-text", setQuery: new(""), setDocument: new("")},
		{model: "nomic-embed-text", setQuery: new("q"), query: "q", document: "search_document: "},
		{model: "unknown", setDocument: new(" d:\n"), document: " d:\n"},
	} {
		t.Run(c.model, func(t *testing.T) {
			server := embedtest.New(t, embedtest.Options{Model: c.model})
			a := openApp(t, config.Config{Embedding: config.Embedding{
				Kind: config.OpenAI, Provider: "openai", BaseURL: server.URL, Model: c.model,
				QueryPrefix: c.setQuery, DocumentPrefix: c.setDocument,
			}})
			_, err := a.Archive.Import(t.Context(), []string{"../../lens/testdata/fixtures/chats.json"}, archive.ImportOptions{})
			testenv.Must(t, err)
			report, err := a.Embedding.Run(t.Context(), false, nil)
			testenv.Must(t, err)
			texts := server.Texts()
			if report.Embedded != 8 || len(texts) != 8 {
				t.Fatalf("%+v, %d texts", report, len(texts))
			}
			for _, text := range texts {
				if !strings.HasPrefix(text, c.document+"User: ") {
					t.Errorf("received the text %q", text)
				}
			}
			e, err := a.Archive.Engine(t.Context())
			testenv.Must(t, err)
			_, err = e.Peek(t.Context(), query.Query{Text: "sourdough", Mode: query.Dense})
			testenv.Must(t, err)
			if received := server.Texts()[8:]; len(received) != 1 || received[0] != c.query+"sourdough" {
				t.Errorf("received the query %q", received)
			}
		})
	}
}
