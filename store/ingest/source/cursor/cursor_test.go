package cursor

import (
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/source/sourcetest"
)

const fixture = "testdata/c0ffee01.jsonl"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTranscript_Turns(t *testing.T) {
	all := sourcetest.Read(t, &Transcript, fixture, sourcetest.File(t, fixture))
	want := "Is the dial level? -> Two degrees off.\nmore -> To the east.\nmore -> "
	if got := sourcetest.Turns(all); got != want || all[0].SourceID != "c0ffee01" || all[0].Title != "Is the dial level?" {
		t.Errorf("%s, %q: got\n%s", all[0].SourceID, all[0].Title, got)
	}
}

func TestTranscript_OwnWords(t *testing.T) {
	for text, want := range map[string]string{
		"<user_query>a</user_query>\n<user_query>b</user_query>": "a\n\nb",
		"<rules>x</rules><user_query> a ":                        "a",
		"plain":                                                  "plain",
		"<system_reminder>x</system_reminder>":                   "",
		"<system_reminder>x</system_reminder>\nq":                "q",
		"<attached_files>x</attached_files>q":                    "q",
		"<additional_data>x</additional_data>q":                  "q",
		"What is <system_reminder>?":                             "What is <system_reminder>?",
	} {
		if got := query(text); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

func TestTranscript_SharedFixture(t *testing.T) {
	sourcetest.Fixture(t, &Transcript, "cursor_transcript")
}

func TestTranscript_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Transcript, "cursor_transcript")
	for _, line := range []string{
		`{"type":"user","role":"user","message":{"content":"x"}}`,
		`{"role":"user","content":"x"}`,
		`{"role":"robot","message":{"content":"x"}}`,
	} {
		if sourcetest.Matches(t, &Transcript, "a.jsonl", line+"\n") {
			t.Errorf("%s matches", line)
		}
	}
}

func TestTranscript_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Transcript, fixture, sourcetest.File(t, fixture))
}

func FuzzTranscript(f *testing.F) {
	sourcetest.Fuzz(f, &Transcript, "c.jsonl", sourcetest.File(f, fixture), `{"role":"user","message":{"content":"<user_query>"}}`)
}
