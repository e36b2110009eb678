package ingest_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/store"
	"lens/store/ingest"
)

// summarizer gives every turn the same summary, except those that it refuses.
type summarizer struct {
	refuse string
	with   error // "refused" if nil
	asked  int
}

func (*summarizer) Name() string { return "brief-1" }

func (s *summarizer) Summarize(_ context.Context, user, _ string) (string, error) {
	s.asked++
	if s.refuse != "" && strings.Contains(user, s.refuse) {
		return "", cmp.Or(s.with, errors.New("refused"))
	}
	return "in short: \x00" + user, nil
}

// summarizeAll summarizes every turn of st with more than a few words.
func summarizeAll(t testing.TB, st store.Store, s *summarizer, opts ingest.SummarizeOptions) *ingest.SummarizeReport {
	t.Helper()
	opts.Longer, opts.AtOnce = 1, 1
	r, err := ingest.Summarize(t.Context(), st, s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSummarize_ProvenanceAndVector(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h1")
	if r := summarizeAll(t, st, &summarizer{}, ingest.SummarizeOptions{Limit: 1}); r.Summarized != 1 || r.Pending != 1 {
		t.Errorf("report %+v", r)
	}
	after := turnOf(t, st, "h1")
	if !strings.HasPrefix(after.Summary, "in short:") || strings.ContainsRune(after.Summary, 0) || after.AssistantText != before.AssistantText || after.Ord != before.Ord {
		t.Errorf("turn %+v", after)
	}
	messages, err := st.Messages(t.Context(), after.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(messages, func(m store.Message) bool { return m.Summary != "" })
	if note := messages[at]; note.Model != "brief-1" || note.Time.IsZero() || note.Text != "" {
		t.Errorf("note %+v", note)
	}
	if got := vectors(t, st, "h1", "h3"); !slices.Equal(got, []string{"h3"}) {
		t.Errorf("vectors of %v", got)
	}
	m := embedAll(t, st)
	if asked := fmt.Sprint(m.texts); !strings.Contains(asked, "Assistant: in short:") {
		t.Errorf("embedded %s", asked)
	}
}

func TestSummarize_Resumes(t *testing.T) {
	st := embeddedHeron(t)
	summarizeAll(t, st, &summarizer{}, ingest.SummarizeOptions{Limit: 1})
	s := &summarizer{}
	if r := summarizeAll(t, st, s, ingest.SummarizeOptions{}); r.Summarized != 1 || s.asked != 1 || r.Pending != 0 {
		t.Errorf("report %+v, %d asked", r, s.asked)
	}
	if r := summarizeAll(t, st, s, ingest.SummarizeOptions{}); r.Summarized != 0 || s.asked != 1 {
		t.Errorf("a third run: %+v, %d asked", r, s.asked)
	}
}

func TestSummarize_FailedTurn(t *testing.T) {
	st := embeddedHeron(t)
	last := turnOf(t, st, "h3").UserText
	if r := summarizeAll(t, st, &summarizer{refuse: last}, ingest.SummarizeOptions{}); r.Summarized != 1 || len(r.Failed) != 1 || r.Pending != 1 {
		t.Errorf("report %+v", r)
	}
	st = embeddedHeron(t)
	if r, err := ingest.Summarize(t.Context(), st, &summarizer{refuse: " "}, ingest.SummarizeOptions{Longer: 1, AtOnce: 1}); err == nil || r.Summarized != 0 {
		t.Errorf("a model that always fails: %+v, %v", r, err)
	}
	first := turnOf(t, st, "h1").UserText
	if r := summarizeAll(t, st, &summarizer{refuse: first, with: fmt.Errorf("filtered: %w", ingest.ErrNoSummary)}, ingest.SummarizeOptions{}); r.Summarized != 1 || len(r.Failed) != 1 || r.Pending != 1 {
		t.Errorf("the first one refused: %+v", r)
	}
}

func TestSummarize_KeptOnReimport(t *testing.T) {
	st := embeddedHeron(t)
	summarizeAll(t, st, &summarizer{}, ingest.SummarizeOptions{})
	embedAll(t, st)
	importChats(t, st, []chat{heron()})
	grown := heron()
	grown.updated++
	grown.messages = append(grown.messages, user("h5", "And what does it eat?"), assistant("h6", "Fish and frogs."))
	importChats(t, st, []chat{grown})
	for _, id := range []string{"h1", "h3"} {
		if turn := turnOf(t, st, id); !strings.HasPrefix(turn.Summary, "in short:") || strings.HasPrefix(turn.AssistantText, "\n") {
			t.Errorf("turn %+v", turn)
		}
	}
	if got := vectors(t, st, "h1", "h3"); len(got) != 2 {
		t.Errorf("vectors of %v", got)
	}
	edited := grown
	edited.updated++
	edited.messages = slices.Clone(grown.messages)
	edited.messages[1].text = "A stately bird."
	importChats(t, st, []chat{edited})
	if turn := turnOf(t, st, "h1"); turn.Summary != "" {
		t.Errorf("a changed turn still has the summary %q", turn.Summary)
	}
	if turn := turnOf(t, st, "h3"); turn.Summary == "" {
		t.Error("an unchanged turn lost its summary")
	}
	if got := vectors(t, st, "h1", "h3"); !slices.Equal(got, []string{"h3"}) {
		t.Errorf("vectors of %v", got)
	}
}

func TestSummarize_KeptForMissingTurn(t *testing.T) {
	st := embeddedHeron(t)
	summarizeAll(t, st, &summarizer{}, ingest.SummarizeOptions{})
	embedAll(t, st)
	before := turnOf(t, st, "h3")
	shrunk := heron()
	shrunk.updated++
	shrunk.messages = shrunk.messages[:2]
	importChats(t, st, []chat{shrunk})
	after := turnOf(t, st, "h3")
	if after.OnPath || after.Summary != before.Summary || after.AssistantText != before.AssistantText || after.Ord != before.Ord {
		t.Errorf("before %+v\nafter  %+v", before, after)
	}
}

func TestSummarize_ImportedSummaryStays(t *testing.T) {
	st := newArchive(t)
	content := `[{"id":"c","title":"t","create_time":1700000000,"current_node":"b","mapping":{
		"a":{"id":"a","parent":null,"children":["b"],"message":{"id":"a","author":{"role":"user"},"create_time":1700000000,"content":{"content_type":"text","parts":["q"]}}},
		"b":{"id":"b","parent":"a","children":[],"message":{"id":"b","author":{"role":"assistant"},"content":{"content_type":"text","parts":["a long reply"]},"metadata":{"turn_summary":"theirs"}}}}}]`
	importChats(t, st, rawJSON(content))
	s := &summarizer{}
	if r := summarizeAll(t, st, s, ingest.SummarizeOptions{}); r.Summarized != 0 || s.asked != 0 {
		t.Errorf("report %+v", r)
	}
}

// rawJSON is an export as JSON.
type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }
