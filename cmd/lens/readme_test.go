package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lens/agent/agenttest"
	"lens/cmd/internal/archive"
	"lens/retrieval/query"
)

// TestReadme_Examples runs the README's curl commands against lens serve.
func TestReadme_Examples(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("THE EXAMPLES OF THE README ARE NOT TESTED: there is no curl")
	}
	model := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "In May."}}})
	s := serveChats(t, "OPENAI_BASE_URL="+model.URL, "LENS_CHAT_MODEL=m")
	_, found := s.get("/retrieval/peek?query=sourdough")
	id := regexp.MustCompile(`"turn_id":"([0-9a-f]{8})`).FindStringSubmatch(found)
	if id == nil {
		t.Fatalf("nothing found: %s", found)
	}
	here := strings.NewReplacer("127.0.0.1:5367", strings.TrimPrefix(s.url, "http://"), "/turn/3f2a", "/turn/"+id[1])
	ran := 0
	for _, example := range readmeExamples(t) {
		if !strings.HasPrefix(example, "curl ") {
			continue
		}
		ran++
		cmd := exec.CommandContext(t.Context(), "sh", "-c", here.Replace(example))
		cmd.Env = s.env
		out, err := cmd.Output()
		switch text := string(out); {
		case err != nil:
			t.Errorf("%s: %v", example, err)
		case strings.Contains(example, "/chat"):
			if !strings.Contains(text, "event: done\n") {
				t.Errorf("%s: %s", example, text)
			}
		case !json.Valid(out) || strings.Contains(text, `"error"`):
			t.Errorf("%s: %s", example, text)
		}
	}
	if ran < 5 {
		t.Errorf("found only %d examples", ran)
	}
	s.terminate()
}

// readmeExamples returns the commands of the README's first console block about being headless.
func readmeExamples(t *testing.T) (commands []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	_, section, _ := strings.Cut(string(text), "\n## Headless\n")
	_, block, _ := strings.Cut(section, "```console\n")
	block, _, _ = strings.Cut(block, "```")
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return commands
}

// TestReadme_NamesEverything finds every verb in the README and in a script, and every export format in the README.
func TestReadme_NamesEverything(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	must(t, err)
	var scripts strings.Builder
	files, err := filepath.Glob("testdata/script/*.txtar")
	must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		scripts.Write(text)
	}
	for _, verb := range newRootCmd(newEnv(nil)).Commands() {
		if verb.Hidden || verb.GroupID == "" || verb.IsAdditionalHelpTopicCommand() {
			continue
		}
		used := regexp.MustCompile(`\blens ` + verb.Name() + `\b`)
		if !used.Match(readme) {
			t.Errorf("the README does not mention lens %s", verb.Name())
		}
		if !used.MatchString(scripts.String()) {
			t.Errorf("no script of testdata/script runs lens %s", verb.Name())
		}
	}
	for _, format := range archive.ExportFormats {
		if !strings.Contains(string(readme), "\n| `"+format.Name+"` |") {
			t.Errorf("the README's table of exports lacks %s", format.Name)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the tables of the README")

// TestReadme_Searching compares the README's tables of the grammar and of filters with those of the query. -update
// rewrites them.
func TestReadme_Searching(t *testing.T) {
	filters := make([]query.Example, len(query.Filters))
	for i, f := range query.Filters {
		filters[i] = f.Explained()
	}
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	readme := string(text)
	for head, examples := range map[string][]query.Example{"| type | finds |": query.Grammar, "| filter | finds |": filters} {
		before, after, found := strings.Cut(readme, "\n"+head+"\n|---|---|\n")
		if !found {
			t.Fatalf("the README has no table %s", head)
		}
		_, rest, _ := strings.Cut(after, "\n\n")
		var table strings.Builder
		for _, e := range examples {
			table.WriteString("| `" + e.Typed + "` | " + e.Finds + " |\n")
		}
		readme = before + "\n" + head + "\n|---|---|\n" + table.String() + "\n" + strings.TrimLeft(rest, "\n")
	}
	switch {
	case readme == string(text):
	case *update:
		must(t, os.WriteFile("../../README.md", []byte(readme), 0o644))
	default:
		t.Errorf("the README's tables are not those of the query; run go test ./cmd/lens -run Readme_Searching -update")
	}
}
