package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest/source"
)

const projects = `[{"uuid":"3f2a7c1e-0000-4000-8000-000000000001","name":"Bakery","prompt_template":"Answer briefly.",
	"created_at":"2025-05-01T08:00:00Z","updated_at":"2025-05-02T08:00:00Z","is_starter_project":false,"docs":[
	{"uuid":"3f2a7c1e-0000-4000-8000-000000000002","filename":"starter.md","content":"# Feeding\nRye, twice.","created_at":"2025-05-02T07:00:00Z"},
	{"uuid":"3f2a7c1e-0000-4000-8000-000000000003","filename":"empty.md","content":""}]},
	{"uuid":"3f2a7c1e-0000-4000-8000-000000000004","name":"How to use Claude","is_starter_project":true,"prompt_template":"","docs":[{"filename":"a","content":"b"}]},
	{"uuid":"3f2a7c1e-0000-4000-8000-000000000005","name":"Empty","prompt_template":"","docs":[]}]`

const memories = `[{"conversations_memory":"Bakes at night.","project_memories":{"p1":"Prefers rye."},"account_uuid":"u1"}]`

// keptIn returns what a file of an export has, as "kind "title" name at time: text", and the reasons for what is left out.
func keptIn(t testing.TB, f *source.Format, data string) (kept []string) {
	t.Helper()
	for p, err := range f.Read(&source.File{Reader: strings.NewReader(data)}) {
		if err != nil {
			kept = append(kept, err.Error())
			continue
		}
		testenv.Must(t, p.Check())
		if len(p.Turns) > 0 {
			t.Errorf("%d turns in %s", len(p.Turns), p.Title)
		}
		for _, d := range p.Derived {
			kept = append(kept, fmt.Sprintf("%s %q %s at %s: %s", d.Kind, d.Title, d.Name, d.Time.Format("01-02"), d.Text))
		}
	}
	return kept
}

func TestProjects(t *testing.T) {
	want := []string{
		`project "Bakery · instructions"  at 01-01: Answer briefly.`,
		`project "Bakery · starter.md" starter.md at 05-02: # Feeding` + "\nRye, twice.",
		"conversation 1: supplied by the service", "conversation 2: no text",
	}
	if got := keptIn(t, &Projects, projects); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMemories(t *testing.T) {
	want := []string{
		`memory "What Claude remembers · project p1"  at 01-01: Prefers rye.`,
		`memory "What Claude remembers"  at 01-01: Bakes at night.`,
	}
	if got := keptIn(t, &Memories, memories); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzProjects(f *testing.F) {
	f.Add([]byte(projects))
	f.Add([]byte(memories))
	f.Add([]byte(`[{"uuid":"x","docs":[{"uuid":7,"content":"\ud800"},[],{"content":"a"},{"content":"a"}],"prompt_template":{}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			t.Skip()
		}
		for _, format := range []*source.Format{&Projects, &Memories} {
			for p := range format.Read(&source.File{Reader: bytes.NewReader(data)}) {
				if p == nil {
					continue
				}
				testenv.Must(t, p.Check())
				keys := map[string]bool{}
				for _, d := range p.Derived {
					if keys[d.Key] || strings.TrimSpace(d.Text) == "" {
						t.Errorf("%+v is empty or comes twice", d)
					}
					keys[d.Key] = true
				}
			}
		}
	})
}
