package source_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of sessions/PROJECT/SESSION.jsonl in ~/.parrot.
var Format = source.Format{
	Source: "parrot", Name: "Parrot", Matches: matches, Read: source.ReadsLog("parrot: read", start),
	Get:  "the sessions on this machine",
	Kept: []source.Place{{Folder: ".parrot", Var: "PARROT_HOME", Files: []string{"sessions/**/*.jsonl"}}},
}

func matches(s *source.Sample) bool {
	return s.Any(func(v source.Value) bool { return v.Get("squawk", "text").IsString() })
}

// log is a session, as far as its lines have come.
type log struct{ source.Session }

func start(f *source.File) source.Log {
	return &log{source.Session{Draft: chat.Draft{ID: f.Name, Source: "parrot"}}}
}

// Record reads a line: {"id":"1","by":"user","at":"2026-01-02T03:04:05Z","squawk":{"text":"Hello"}}.
func (l *log) Record(raw []byte) {
	var id, by, text string
	var at time.Time
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "id":
			id = c.String()
		case "by":
			by = c.String()
		case "at":
			at = c.Time()
		case "squawk":
			c.Object(func(name []byte) {
				if string(name) == "text" {
					text = c.String()
				}
			})
		}
	})
	l.Seen(at)
	if text == "" {
		l.Drop("no text")
		return
	}
	role := store.Assistant
	if by == "user" {
		role = store.User
	}
	m := l.Count.Speech(role, text, raw)
	m.Time = at
	l.Add(id, m)
}

// Draft returns the session after its last line.
func (l *log) Draft() *chat.Draft { return &l.Session.Draft }

func ExampleFormat() {
	lines := `{"id":"1","by":"user","at":"2026-01-02T03:04:05Z","squawk":{"text":"Hello"}}
{"id":"2","by":"parrot","at":"2026-01-02T03:04:06Z","squawk":{"text":"Hello, hello"}}
{"id":"3","by":"parrot"}
`
	for p, err := range Format.Read(&source.File{Reader: strings.NewReader(lines), Name: "s.jsonl"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, t := range p.Turns {
			fmt.Println(t.Time.Format(time.DateTime), t.UserText, "→", t.AssistantText)
		}
		fmt.Println("skipped:", p.Count.Skipped)
	}
	// Output:
	// 2026-01-02 03:04:05 Hello → Hello, hello
	// skipped: map[no text:1]
}

// CONTRIBUTING.md shows the code of this example.
func TestContributing_Source(t *testing.T) {
	text, err := os.ReadFile("../../../CONTRIBUTING.md")
	testenv.Must(t, err)
	own, err := os.ReadFile("example_test.go")
	testenv.Must(t, err)
	_, shown, _ := strings.Cut(string(text), "### A source of chats\n")
	_, shown, _ = strings.Cut(shown, "```go\n")
	shown, _, found := strings.Cut(shown, "```")
	if !found || len(shown) < 100 || !strings.Contains(string(own), shown) {
		t.Errorf("the example of CONTRIBUTING.md is not this one:\n%s", shown)
	}
}
