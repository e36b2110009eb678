package input

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/ingest/source"
)

// fixtures are the sources of the files that expected.json names, in the folders of ../shared/data/exports/sources.
// Others are of formats that Lens does not read.
var fixtures = map[string]store.Source{
	"aider":                      store.Aider,
	"aistudio":                   store.AIStudio,
	"amp":                        store.Amp,
	"betterchatgpt":              store.Other,
	"chatbotui":                  store.Other,
	"chatgpt_canvas":             store.ChatGPT,
	"chatgpt_exporter_json":      store.ChatGPT,
	"chatgpt_exporter_md":        store.ChatGPT,
	"chatgpt_html":               store.ChatGPT,
	"chatgpt_exporter_zipmember": store.ChatGPT,
	"claude_artifacts":           store.Claude,
	"claude_code":                store.ClaudeCode,
	"cline":                      store.Cline,
	"codex_bare":                 store.Codex,
	"codex_envelope":             store.Codex,
	"codex_item_completed":       store.Codex,
	"copilot_chat_csv":           store.Copilot,
	"copilot_cli":                store.CopilotCLI,
	"copilot_csv":                store.Copilot,
	"cursor_db":                  store.Cursor,
	"cursor_transcript":          store.Cursor,
	"deepseek":                   store.DeepSeek,
	"gemini_cli":                 store.GeminiCLI,
	"gemini_cli_jsonl":           store.GeminiCLI,
	"generic_object":             store.Other,
	"goose_db":                   store.Goose,
	"goose_jsonl":                store.Goose,
	"grok":                       store.Grok,
	"grok_2025":                  store.Grok,
	"lechat":                     store.LeChat,
	"librechat":                  store.LibreChat,
	"librechat_tree":             store.LibreChat,
	"openai_finetune_jsonl":      store.Other,
	"opencode_storage":           store.OpenCode,
	"openwebui":                  store.OpenWebUI,
	"openwebui_db":               store.OpenWebUI,
	"perplexity_conversations":   store.Perplexity,
	"perplexity_entries":         store.Perplexity,
	"pi":                         store.Pi,
	"sharegpt":                   store.Other,
	"typingmind":                 store.Other,
	"vscode_copilot":             store.VSCode,
	"vscode_copilot_jsonl":       store.VSCode,
	"zed_db":                     store.Zed,
}

// TestFormats_ExactlyOneMatches asks every format about every fixture.
func TestFormats_ExactlyOneMatches(t *testing.T) {
	dir := testenv.Shared(t, "exports/sources")
	variants, err := os.ReadDir(dir)
	testenv.Must(t, err)
	for _, v := range variants {
		var expected struct{ File string }
		text, err := os.ReadFile(filepath.Join(dir, v.Name(), "expected.json"))
		testenv.Must(t, err)
		testenv.Must(t, json.Unmarshal(text, &expected))
		for _, path := range filesIn(t, filepath.Join(dir, v.Name())) {
			within, err := filepath.Rel(filepath.Join(dir, v.Name()), path)
			testenv.Must(t, err)
			switch filepath.ToSlash(within) {
			case "expected.json":
			case expected.File:
				expectOnly(t, path, fixtures[v.Name()])
			default:
				if got := matching(t, path); len(got) > 1 {
					t.Errorf("%s matches %v", path, got)
				}
			}
		}
	}
}

// TestFormats_OwnFixtures asks every format about the fixtures of all parsers.
func TestFormats_OwnFixtures(t *testing.T) {
	paths, err := filepath.Glob("../source/*/testdata/*.*")
	testenv.Must(t, err)
	seen := map[store.Source]bool{}
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(filepath.Dir(path)))
		i := slices.IndexFunc(formats, func(f *source.Format) bool {
			return strings.ReplaceAll(string(f.Source), "-", "") == name
		})
		if i < 0 {
			t.Errorf("%s: no format has a source of this name", path)
			continue
		}
		expectOnly(t, path, formats[i].Source)
		seen[formats[i].Source] = true
	}
	made := []store.Source{store.Gemini, store.OpenCode, store.Zed} // by their tests
	for _, f := range formats {
		if !seen[f.Source] && !slices.Contains(made, f.Source) {
			t.Errorf("%s has no fixture", f.Source)
		}
	}
}

// TestFormats_NoneMatches has files that look like those of a service and are not.
func TestFormats_NoneMatches(t *testing.T) {
	for name, data := range map[string]string{
		"notes.json":    `{"title":"Tea","mapping":"by hand"}`,
		"tree.json":     `[{"mapping":{"a":{"message":{"text":"no author"}}}}]`,
		"package.json":  `{"name":"x","version":"1","dependencies":{}}`,
		"geo.json":      `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{}}]}`,
		"rows.jsonl":    "{\"type\":\"message\",\"text\":\"hi\"}\n{\"type\":\"message\",\"text\":\"ho\"}\n",
		"chunks.jsonl":  "{\"id\":\"1\",\"text\":\"hi\"}\n",
		"data.csv":      "Conversation,Time\na,b\n",
		"empty.json":    `[]`,
		"log.json":      `{"messages":["started","stopped"]}`,
		"settings.json": `{"chats":[],"history":[],"conversations":[],"entries":[],"data":{}}`,
	} {
		path := filepath.Join(t.TempDir(), name)
		testenv.Must(t, os.WriteFile(path, []byte(data), 0o600))
		if got := matching(t, path); len(got) > 0 {
			t.Errorf("%s matches %v", name, got)
		}
	}
}

// expectOnly checks that exactly the formats of a source match a file, and of those exactly one.
func expectOnly(t *testing.T, path string, want store.Source) {
	t.Helper()
	read := slices.ContainsFunc(formats, func(f *source.Format) bool { return f.Source == want })
	switch got := matching(t, path); {
	case read && (len(got) != 1 || got[0].Source != want):
		t.Errorf("%s matches %v, want one of %s", path, got, want)
	case !read && slices.ContainsFunc(got, func(f *source.Format) bool { return !f.Generic }):
		t.Errorf("%s matches %v, which is another source", path, got)
	}
}

// matching returns all formats that match a file: generic ones only if no other does.
func matching(t *testing.T, path string) (all []*source.Format) {
	t.Helper()
	in, err := os.Open(path)
	testenv.Must(t, err)
	defer in.Close()
	info, err := in.Stat()
	testenv.Must(t, err)
	s, err := source.NewSample(filepath.Base(path), info.Size(), in)
	testenv.Must(t, err)
	if source.IsDatabase(s.Head) {
		s.Database, err = source.OpenDatabase(t.Context(), in, info.Size(), nil, 0)
		testenv.Must(t, err)
		defer s.Database.Close()
	}
	for _, f := range formats {
		if f.Matches(s) && (!f.Generic || len(all) == 0) {
			all = append(all, f)
		}
	}
	return all
}

func filesIn(t *testing.T, dir string) (all []string) {
	t.Helper()
	testenv.Must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	}))
	return all
}

var update = flag.Bool("update", false, "rewrite retrieval/query/sources.go")

// TestFormats_SourcesAreFilters checks that every source can be searched and forgotten by its name. The package of
// filters is pure, and may not import the formats: the names are written into a file of it.
func TestFormats_SourcesAreFilters(t *testing.T) {
	var names []string
	for _, f := range formats {
		if name := string(f.Source); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	names = append(names, string(store.Documents), string(store.Chunks))
	if *update {
		code := "// Code generated from the formats of store/ingest/input. DO NOT EDIT.\n\npackage query\n\n" +
			"// sources are the kinds of files that turns come from: store.Source.\nvar sources = []string{\n"
		for _, name := range names {
			code += fmt.Sprintf("\t%q,\n", name)
		}
		testenv.Must(t, os.WriteFile("../../../retrieval/query/sources.go", []byte(code+"}\n"), 0o644))
		return
	}
	field, _ := query.FieldOf("source")
	if !slices.Equal(field.Values, names) {
		t.Errorf("filters know the sources %q, formats are of %q: "+
			"go test ./store/ingest/input -run Formats -update writes retrieval/query/sources.go", field.Values, names)
	}
}
