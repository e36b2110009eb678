package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

var documentChecks = []check{
	{"are returned with their conversations and each of their chunks", documentsComeBack},
	{"are replaced with their conversations, and chunks with their turns", documentsAreReplaced},
	{"are listed by folder", documentsAreListedByFolder},
	{"are listed by what they derive from", derivedAreListed},
	{"name every tag once", tagsAreListed},
	{"are filtered by source and metadata, in every read", factsActAlike},
	{"are found among many by their present facts only", factsChange},
	{"are forgotten with their conversations", documentsAreForgotten},
}

// document makes a document of chunks in the folder notes, one page per chunk, with metadata derived
// from the text.
func document(name string, chunks ...exchange) store.Conversation {
	c := chat(name, chunks...)
	c.Source, c.Document = store.Documents, documentOf("/notes/"+name)
	for i := range c.Turns {
		t := &c.Turns[i]
		t.Source, t.Embeddable = store.Documents, true
		t.Chunk = &store.Chunk{Document: *c.Document, Seq: i, Pages: store.PageSpan{First: i + 1, Last: i + 2}}
	}
	return c
}

func documentOf(path string) *store.Document {
	return &store.Document{
		Path: path, Filename: path[len("/notes/"):], ClientTag: "acme",
		Modified: at(3), MIME: "text/markdown", Content: hashOf(path),
	}
}

// record makes a conversation of one chunk with metadata, as in chunk JSONL.
func record(id, text, meta string) store.Conversation {
	c := chat("record "+id, exchange{User: text, Replies: []string{"yes"}, At: at(5)})
	c.Source = store.Chunks
	t := &c.Turns[0]
	t.Source, t.Chunk = store.Chunks, &store.Chunk{ID: id, Meta: []byte(meta)}
	return c
}

func documentsComeBack(t *testing.T, a *archive) {
	p := document("plan.md",
		exchange{User: "plan.md", Replies: []string{"first"}, At: at(3)},
		exchange{User: "plan.md", Replies: []string{"second"}, At: at(3)})
	undated := document("old.pdf", exchange{Replies: []string{"text"}})
	undated.Document.Modified, undated.Document.Gone, undated.Document.ClientTag = time.Time{}, true, ""
	undated.Turns[0].Chunk.Document = *undated.Document
	meta := `{ "entity":"story" , "urls":["u","v"],"n":1.50,"ü":{"a":null},"entity":"twice"}`
	r := record("7", "hero", meta)
	put := a.put(t, p, small("talk", at(1)), undated, r)
	got, err := a.Conversations(t.Context(), []uuid.UUID{put[2].ID, put[1].ID, put[0].ID, put[3].ID})
	must(t, err)
	wanted := []store.Conversation{bare(put[2]), bare(put[1]), bare(put[0]), bare(put[3])}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
	var turns []store.Turn
	for i := range put {
		turns = append(turns, put[i].Turns...)
	}
	ids := make([]uuid.UUID, len(turns))
	for i := range turns {
		ids[i] = turns[i].ID
	}
	if read := a.turns(t, ids...); !reflect.DeepEqual(read, turns) {
		t.Errorf("got %+v, want %+v", read, turns)
	}
	catalog := a.catalog(t)
	for i := range turns {
		row, _ := catalog.Row(turns[i].Ord)
		want(t, "is a chunk: "+turns[i].Title, catalog.IsChunk(row), turns[i].Chunk != nil)
	}
}

func documentsAreReplaced(t *testing.T, a *archive) {
	p := a.put(t, document("plan.md", exchange{User: "plan.md", Replies: []string{"first"}, At: at(3)}))[0]
	p.Document.Gone, p.Document.ClientTag = true, "other"
	p.Document.MIME, p.Document.Path = "text/plain", "/elsewhere/plan.md"
	turn := p.Turns[0]
	turn.Chunk = &store.Chunk{
		Document: *p.Document,
		Seq:      4,
		Pages:    store.PageSpan{First: 9, Last: 9},
		Meta:     []byte(`{"a":1}`),
		ID:       "x",
	}
	a.update(t, func(tx store.Tx) error {
		must(t, tx.PutConversations(t.Context(), []store.Conversation{p}))
		return tx.PutTurns(t.Context(), []store.Turn{turn})
	})
	got, err := a.Conversations(t.Context(), []uuid.UUID{p.ID})
	must(t, err)
	if !reflect.DeepEqual(got[0], bare(p)) {
		t.Errorf("got %+v, want %+v", got[0], bare(p))
	}
	if got := a.turns(t, turn.ID)[0]; !reflect.DeepEqual(got, turn) {
		t.Errorf("got %+v, want %+v", got, turn)
	}
}

func documentsAreListedByFolder(t *testing.T, a *archive) {
	paths := []string{
		"/notes/a.md", "/notes/a/b.md", "/notes/a/Ü.md", "/notes/a.d/c.md", "/notes/%", "/notes/b", "/notes/a0",
	}
	ids := make(map[string]uuid.UUID)
	for _, path := range paths {
		p := document(path[len("/notes/"):], exchange{User: path, Replies: []string{"text"}, At: at(1)})
		ids[path] = a.put(t, p)[0].ID
	}
	a.put(t, small("talk", at(1)), record("/notes/r", "hero", "{}"))
	for under, wanted := range map[string][]string{
		"": {
			"/notes/%", "/notes/a.d/c.md", "/notes/a.md", "/notes/a/b.md", "/notes/a/Ü.md", "/notes/a0", "/notes/b",
		},
		"/notes/a":       {"/notes/a/b.md", "/notes/a/Ü.md"},
		"/notes/a/b.md":  {"/notes/a/b.md"},
		"/notes/a/b":     nil,
		"/note":          nil,
		"/notes/_":       nil,
		"/notes/nowhere": nil,
	} {
		var expected []uuid.UUID
		for _, path := range wanted {
			expected = append(expected, ids[path])
		}
		got, err := a.DocumentIDs(t.Context(), under)
		must(t, err)
		if !slices.Equal(got, expected) {
			t.Errorf("under %q: got %v, want %v (%v)", under, got, expected, wanted)
		}
	}
}

func derivedAreListed(t *testing.T, a *archive) {
	derived := func(name string, origin store.Origin) store.Conversation {
		c := document(name, exchange{User: name, Replies: []string{"text"}, At: at(1)})
		c.Source = store.Claude.Of(store.Artifact)
		c.Document.Path = origin.Path(store.Artifact, name)
		c.Turns[0].Source, c.Turns[0].Chunk.Document = c.Source, *c.Document
		return c
	}
	one, other := idOf("one"), idOf("other")
	put := a.put(t,
		derived("a", store.Origin{Conversation: one}),
		small("talk", at(1)),
		document("file", exchange{At: at(1)}),
		derived("b/lens:/", store.Origin{Conversation: one, Turn: idOf("turn")}),
		derived("c", store.Origin{Conversation: other}),
	)
	for name, c := range map[string]struct {
		of   []uuid.UUID
		want []uuid.UUID
	}{
		"one":     {[]uuid.UUID{one}, []uuid.UUID{put[0].ID, put[3].ID}},
		"both":    {[]uuid.UUID{other, one}, []uuid.UUID{put[0].ID, put[3].ID, put[4].ID}},
		"neither": {[]uuid.UUID{idOf("talk"), put[0].ID}, nil},
		"none":    {nil, nil},
	} {
		slices.SortFunc(c.want, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		got, err := a.DerivedIDs(t.Context(), c.of)
		must(t, err)
		a.update(t, func(tx store.Tx) error {
			inside, err := tx.DerivedIDs(t.Context(), c.of)
			if !slices.Equal(inside, c.want) {
				t.Errorf("%s: in a transaction %v, want %v", name, inside, c.want)
			}
			return err
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	read := a.turns(t, put[3].Turns[0].ID)[0]
	if !reflect.DeepEqual(read, put[3].Turns[0]) {
		t.Errorf("got %+v, want %+v", read, put[3].Turns[0])
	}
	origin, ok := read.Chunk.Document.Origin()
	if want := (store.Origin{Conversation: one, Turn: idOf("turn")}); !ok || origin != want {
		t.Errorf("it derives from %v, want %v", origin, want)
	}
	row, _ := a.catalog(t).Row(read.Ord)
	want(t, "is a chunk", a.catalog(t).IsChunk(row), true)
}

func tagsAreListed(t *testing.T, a *archive) {
	tags, err := a.Tags(t.Context())
	must(t, err)
	want(t, "tags of an empty archive", len(tags), 0)
	said := exchange{Replies: []string{"text"}, At: at(3)}
	other, untagged := document("other.md", said), document("untagged.md", said)
	other.Document.ClientTag, other.Turns[0].Chunk.Document.ClientTag = "Zebra", "Zebra"
	untagged.Document.ClientTag, untagged.Turns[0].Chunk.Document.ClientTag = "", ""
	a.put(t, document("b.md", said), other, untagged, document("a.md", said), chat("talk", said))
	tags, err = a.Tags(t.Context())
	must(t, err)
	if wanted := []string{"Zebra", "acme"}; !slices.Equal(tags, wanted) {
		t.Errorf("got %q, want %q", tags, wanted)
	}
}

// factCases are filters of the turns of factChats.
var factCases = []filterCase{
	{"a source", store.Filter{Sources: []store.Source{store.Documents}}, "plan"},
	{"two sources", store.Filter{Sources: []store.Source{store.Chunks, store.ChatGPT}}, "comic hero lost talk"},
	{"a source that nothing came from", store.Filter{Sources: []store.Source{store.Gemini}}, ""},
	{"a source in a window", store.Filter{Sources: []store.Source{store.Documents, store.ChatGPT}, Until: at(2)}, "talk"},
	{"a key of the metadata", store.Filter{Meta: map[string]string{"entity": "character"}}, "hero lost"},
	{"two keys", store.Filter{Meta: map[string]string{"entity": "character", "n": "1.50"}}, "hero"},
	{"an element of a list", store.Filter{Meta: map[string]string{"urls": "b"}}, "comic hero"},
	{"a member of a member", store.Filter{Meta: map[string]string{"at.place": "Rome"}}, "hero"},
	{"a boolean", store.Filter{Meta: map[string]string{"read": "true"}}, "comic"},
	{"the id", store.Filter{Meta: map[string]string{"id": "2"}}, "comic"},
	{"the tag", store.Filter{Meta: map[string]string{"client_tag": "acme"}}, "plan"},
	{"a long value", store.Filter{Meta: map[string]string{"long": longValue}}, "hero"},
	{"a value that nothing has", store.Filter{Meta: map[string]string{"entity": "charact"}}, ""},
	{"a key that nothing has", store.Filter{Meta: map[string]string{"": ""}}, ""},
	{"a null value", store.Filter{Meta: map[string]string{"nothing": "null"}}, ""},
	{"a key and a source that exclude each other", store.Filter{
		Meta:    map[string]string{"entity": "comic"},
		Sources: []store.Source{store.ChatGPT},
	}, ""},
	{"a key and a window", store.Filter{Meta: map[string]string{"entity": "character"}, Since: at(6)}, "lost"},
	{"a conversation and a key", store.Filter{
		Meta:         map[string]string{"entity": "character"},
		Conversation: idOf("conversation record 1"),
	}, "hero"},
}

var longValue = fmt.Sprintf("https://%0200d", 7)

func factChats() []store.Conversation {
	lost := record("3", "lost", `{"entity":"character"}`)
	lost.Turns[0].Time = at(6)
	return []store.Conversation{
		document("plan.md", exchange{User: "plan", Replies: []string{"text"}, At: at(3)}),
		record("1", "hero", `{"entity":"character","n":1.50,"urls":["a","b"],"at":{"place":"Rome"},"nothing":null,`+
			`"long":"`+longValue+`"}`),
		record("2", "comic", `{"entity":"comic","urls":["b"],"read":true}`), lost,
		chat("talk", exchange{User: "talk", Replies: []string{"entity character"}, At: at(1)}),
	}
}

func factsActAlike(t *testing.T, a *archive) {
	checkFilters(t, a, factChats(), factCases)
}

func factsChange(t *testing.T, a *archive) {
	const n, dim = 300, 8
	chats := make([]store.Conversation, n)
	for i := range chats {
		chats[i] = record(fmt.Sprint(i), fmt.Sprint("text ", i), fmt.Sprintf(`{"third":%t}`, i%3 == 0))
	}
	a.put(t, chats...)
	gen := a.generation(t, dim, true)
	for _, c := range chats {
		a.embed(t, gen, c.Turns...)
	}
	query, third := vectorOf(dim, "query"), store.Filter{Meta: map[string]string{"third": "true"}}
	var those []store.Turn
	for i := 0; i < n; i += 3 {
		those = append(those, chats[i].Turns...)
	}
	found, err := a.Nearest(t.Context(), query, third, 20)
	must(t, err)
	if wanted := exactNearest(query, those, 20); !slices.Equal(found, wanted) {
		t.Errorf("got %v, want %v", found, wanted)
	}
	chats[0] = record("0", "text 0", `{"third":false}`)
	a.put(t, chats[0])
	want(t, "turns that still have the fact", len(a.each(t, third)), n/3-1)
}

func documentsAreForgotten(t *testing.T, a *archive) {
	put := a.put(t, factChats()...)
	want(t, "removed turns", a.forget(t, put[0].ID, put[1].ID), 2)
	ids, err := a.DocumentIDs(t.Context(), "")
	must(t, err)
	want(t, "documents", len(ids), 0)
	want(t, "chunks with a fact", len(a.postings(t, store.Fact("urls", "b"))[0].Ords), 1)
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	want(t, "chunks with a fact at the end", len(a.postings(t, store.Fact("urls", "b"))[0].Ords), 0)
	a.put(t, factChats()...)
	want(t, "turns again", len(a.each(t, store.Filter{})), len(put))
}
