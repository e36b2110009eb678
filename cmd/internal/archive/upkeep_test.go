package archive

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/storetest"
	"lens/store/terms"
)

// putLikeAnOlderLens writes a chat of some turns whose facts are not indexed.
func (a *testArchive) putLikeAnOlderLens(t *testing.T, turns int) {
	t.Helper()
	a.put(t, storetest.Chat(turns, "word"))
}

// put adds a conversation without terms and facts.
func (a *testArchive) put(t *testing.T, c store.Conversation) {
	t.Helper()
	st, err := a.Writing(t.Context())
	must(t, err)
	must(t, st.Update(t.Context(), func(tx store.Tx) error {
		first, err := tx.ReserveOrds(t.Context(), len(c.Turns))
		must(t, err)
		for i := range c.Turns {
			c.Turns[i].Ord = first + store.Ord(i)
		}
		must(t, tx.PutConversations(t.Context(), []store.Conversation{c}))
		must(t, tx.PutMessages(t.Context(), c.ID, c.Messages))
		return tx.PutTurns(t.Context(), c.Turns)
	}))
	must(t, a.Close())
}

func (a *testArchive) wantMissing(t *testing.T, want int) {
	t.Helper()
	n, err := a.FactsMissing(t.Context())
	must(t, err)
	if n != want {
		t.Errorf("the facts of %d turns are missing, want %d", n, want)
	}
}

func TestIndexFacts_OlderArchive(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	a.importDemo(t)
	a.wantMissing(t, 0)
	a.putLikeAnOlderLens(t, 3)
	a.wantMissing(t, 3)
	files := func(context.Context) []doctor.Check { return nil }
	vectors := func(context.Context, store.Reader) doctor.Check { return doctor.Check{} }
	check := func() (found doctor.Check) {
		for _, c := range a.Probe(files, vectors)(t.Context()) {
			if c.Name == "facts" {
				found = c
			}
		}
		return found
	}
	if c := check(); c.Status != doctor.Warn || !strings.HasPrefix(c.Message, "3 turns") || c.Hint == "" {
		t.Errorf("got %+v", c)
	}
	var last Progress
	must(t, a.IndexFacts(t.Context(), func(p Progress) { last = p }))
	if last.Done != 3 || last.Total != 3 {
		t.Errorf("progress is %d of %d", last.Done, last.Total)
	}
	a.wantMissing(t, 0)
	if c := check(); c.Status != doctor.OK {
		t.Errorf("got %+v", c)
	}
	must(t, a.IndexFacts(t.Context(), nil))
}

func TestUpkeep_EndsByItself(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	fail := func(_ Progress, err error) { must(t, err) }
	a.Upkeep(t.Context(), fail) // there is no archive
	a.putLikeAnOlderLens(t, 3)
	a.Upkeep(t.Context(), fail)
	a.wantMissing(t, 0)
	if n, err := a.LanguagesMissing(t.Context()); err != nil || n != 0 {
		t.Errorf("the languages of %d turns are missing, %v", n, err)
	}
}

// Words are found in the forms that are indexed so far, while the languages of turns are.
func TestIndexLanguagesAside_OlderArchive(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	const turns = 5000 // more than one transaction
	chat := storetest.Chat(turns, "word")
	for i, text := range []string{"Welche Häuser stehen am See, und wie groß sind sie?", "Das ist nicht bekannt."} {
		for j := i; j < len(chat.Messages); j += 2 {
			chat.Messages[j].Text = text
		}
	}
	for i := range chat.Turns {
		chat.Turns[i].UserText, chat.Turns[i].AssistantText = chat.Messages[0].Text, chat.Messages[1].Text
	}
	var analyzer terms.Analyzer
	st, err := a.Writing(t.Context())
	must(t, err)
	must(t, st.Update(t.Context(), func(tx store.Tx) error {
		first, err := tx.ReserveOrds(t.Context(), turns)
		must(t, err)
		ords, counts := make([]store.Ord, turns), make([]store.Terms, turns)
		for i := range chat.Turns {
			ords[i], chat.Turns[i].Ord = first+store.Ord(i), first+store.Ord(i)
			counts[i] = analyzer.Chunk(&chat.Turns[i])
		}
		must(t, tx.PutConversations(t.Context(), []store.Conversation{chat}))
		must(t, tx.PutMessages(t.Context(), chat.ID, chat.Messages))
		must(t, tx.PutTurns(t.Context(), chat.Turns))
		return tx.AddTerms(t.Context(), ords, counts)
	}))
	must(t, a.Close())
	find := func(word string) int {
		st, err := a.Reading(t.Context())
		must(t, err)
		p, err := retrieval.New(st, nil).Peek(t.Context(), query.Query{Text: word, Mode: query.Keyword})
		must(t, err)
		return p.Coverage.Matching
	}
	message := func() string {
		st, err := a.Reading(t.Context())
		must(t, err)
		return checkLanguages(t.Context(), st).Message
	}
	if n := find("Haus"); n != 0 {
		t.Errorf("before: %d turns have another form", n)
	}
	if got, want := message(), "none is known yet; 5000 turns are not yet indexed by language"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var done []int64
	must(t, a.IndexLanguagesAside(t.Context(), func(p Progress) {
		done = append(done, p.Done)
		if n := find("Haus"); int64(n) != p.Done || p.Total != turns {
			t.Errorf("%d of %d turns are indexed, of which %d are found", p.Done, p.Total, n)
		}
		if n := find("Häuser"); n != turns {
			t.Errorf("the word itself is found in %d turns", n)
		}
	}))
	if len(done) < 2 || done[len(done)-1] != turns {
		t.Errorf("progress is %v", done)
	}
	if got, want := message(), "turns by language: German 5000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	must(t, a.IndexLanguagesAside(t.Context(), func(Progress) { t.Error("indexed again") }))
}

func TestIndexFacts_ReadOnly(t *testing.T) {
	dir := t.TempDir()
	a, other := archiveIn(t, dir), archiveIn(t, dir)
	a.putLikeAnOlderLens(t, 3)
	readOnly, err := other.openWith(t.Context(), access{readOnly: true})
	must(t, err)
	other.store, other.limit = readOnly, &errs.Error{Code: errs.Unavailable, Message: "cannot write"}
	other.wantMissing(t, 0) // which it could index
	if err := other.IndexFacts(t.Context(), nil); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	if err := store.CheckFacts(t.Context(), readOnly); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestFillTexts_OlderArchive(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	a.putLikeAnOlderLens(t, 3)
	st, err := a.Writing(t.Context())
	must(t, err)
	var turns []store.Turn
	for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		turns = append(turns, turn)
	}
	must(t, st.Update(t.Context(), func(tx store.Tx) error {
		g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "test", Model: "m", Dim: 1, Recipe: 1})
		must(t, err)
		return tx.PutVectors(t.Context(), g.ID, []store.Vector{
			{Turn: turns[0].ID, Content: store.ContentHash(turns[0].EmbeddedText()), Values: []float32{1}},
			{Turn: turns[1].ID, Content: store.ContentHash("an earlier version"), Values: []float32{1}},
		})
	}))
	must(t, a.Close())
	if c := a.CheckEmbeddings(t.Context()); c.Status != doctor.Warn || !strings.Contains(c.Message, "2 not yet") {
		t.Errorf("before: %+v", c)
	}
	if missing, err := a.TextsMissing(t.Context()); err != nil || !missing {
		t.Errorf("before: missing %v, %v", missing, err)
	}
	a.Upkeep(t.Context(), func(_ Progress, err error) { must(t, err) })
	if missing, err := a.TextsMissing(t.Context()); err != nil || missing {
		t.Errorf("after: missing %v, %v", missing, err)
	}
	c := a.CheckEmbeddings(t.Context())
	if c.Status != doctor.Warn || !strings.Contains(c.Message, "1 vectors are unknown") ||
		!slices.Equal(c.Names, []string{turns[1].ID.String()}) {
		t.Errorf("after: %+v", c)
	}
	st, err = a.Writing(t.Context())
	must(t, err)
	must(t, st.Update(t.Context(), func(tx store.Tx) error {
		return tx.DeleteVectors(t.Context(), []uuid.UUID{turns[1].ID})
	}))
	must(t, a.Close())
	if c := a.CheckEmbeddings(t.Context()); c.Status != doctor.OK || c.Names != nil {
		t.Errorf("without the lost one: %+v", c)
	}
}

func TestDescribeLanguages(t *testing.T) {
	known := []terms.LanguageCount{{Language: terms.English, Turns: 5}, {Language: terms.Stemmed()[0], Turns: 2}}
	said := describeLanguages(known, 7)
	for indexed, want := range map[int]string{7: "", 6: "; some turns are in two", 9: "; unknown for the others"} {
		if got := describeLanguages(known, indexed); got != said+want || !strings.HasPrefix(got, "turns by language: English 5, ") {
			t.Errorf("of %d turns: %q", indexed, got)
		}
	}
}
