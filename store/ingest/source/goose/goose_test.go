package goose

import (
	"testing"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest/source/sourcetest"
)

const fixture = "testdata/20260401_080000.jsonl"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLog_Turns(t *testing.T) {
	all := sourcetest.Read(t, &Log, fixture, sourcetest.File(t, fixture))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Swans",
		`2026-04-01T08:00:00Z "Do swans sleep on water?" -> "They do.\n\nWith one eye open."`,
		`2026-04-01T08:00:10Z "Both eyes?" -> ""`,
	})
	p := all[0]
	if result := p.Messages[2]; p.SourceID != "20260401_080000" || result.Role != store.Tool || result.Text != "pond.txt" {
		t.Errorf("%s: got %q from %s", p.SourceID, result.Text, result.Role)
	}
}

func TestLog_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Log, "goose_jsonl") }

func TestLog_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Log, "goose_jsonl")
	for _, lines := range []string{
		`{"role":"user","created":1,"content":[]}`,
		`{"description":"x"}` + "\n" + `{"role":"user","created":1,"content":[]}`,
		`{"working_dir":"x"}` + "\n" + `{"role":"user","content":"x"}`,
	} {
		if sourcetest.Matches(t, &Log, "a.jsonl", lines+"\n") {
			t.Errorf("%s matches", lines)
		}
	}
}

func TestLog_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Log, fixture, sourcetest.File(t, fixture))
}

func FuzzLog(f *testing.F) {
	sourcetest.Fuzz(f, &Log, "g.jsonl", sourcetest.File(f, fixture),
		`{"working_dir":""}`+"\n"+`{"role":"user","created":1,"content":[{"type":"toolResponse","toolResult":{"value":{}}}]}`)
}
