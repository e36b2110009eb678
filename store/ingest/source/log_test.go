package source_test

import (
	"testing"

	"lens/store/ingest/source"
	"lens/store/ingest/source/copilotcli"
	"lens/store/ingest/source/cursor"
	"lens/store/ingest/source/pi"
	"lens/store/ingest/source/sourcetest"
)

// TestReadsLog_Pipe: sessions that came through a pipe are known by their first words, and stay the same while
// they grow.
func TestReadsLog_Pipe(t *testing.T) {
	for name, c := range map[string]struct {
		format   source.Format
		ask, say func(words string) string
	}{
		"Cursor": {
			cursor.Transcript,
			func(words string) string { return `{"role":"user","message":{"content":"` + words + `"}}` },
			func(words string) string { return `{"role":"assistant","message":{"content":"` + words + `"}}` },
		},
		"Pi": {
			pi.Format,
			func(words string) string {
				return `{"type":"message","message":{"role":"user","content":"` + words + `"}}`
			},
			func(words string) string {
				return `{"type":"message","message":{"role":"assistant","content":"` + words + `"}}`
			},
		},
		"GitHub Copilot CLI": {
			copilotcli.Format,
			func(words string) string { return `{"type":"user.message","data":{"content":"` + words + `"}}` },
			func(words string) string { return `{"type":"assistant.message","data":{"content":"` + words + `"}}` },
		},
	} {
		t.Run(name, func(t *testing.T) {
			id := func(log string) string {
				all, _ := sourcetest.Parse(t, &c.format, "", log)
				if len(all) != 1 || len(all[0].Turns) == 0 {
					t.Fatalf("%d conversations of %s", len(all), log)
				}
				return all[0].ID.String()
			}
			one := c.ask("q") + "\n" + c.say("a") + "\n"
			if id(one) == id(c.ask("p")+"\n"+c.say("a")+"\n") || id(one) == id(c.ask("q")+"\n"+c.say("b")+"\n") {
				t.Error("two sessions have the same id")
			}
			if id(one) != id(one+c.ask("more")+"\n"+c.say("a")+"\n") {
				t.Error("a session that grew has another id")
			}
		})
	}
}

func TestFile_Stem(t *testing.T) {
	for name, want := range map[string]string{"a/b.jsonl": "b", "b": "b", "": "", "a/b.c.md": "b.c"} {
		if got := (&source.File{Name: name}).Stem(); got != want {
			t.Errorf("%q: got %q", name, got)
		}
	}
}
