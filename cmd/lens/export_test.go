package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/query"
)

func TestExport_FileNameIsSanitized(t *testing.T) {
	dir := t.TempDir()
	lens := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("lens", args...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	lens("import", "testdata/fixtures/chats.json", "--no-embed")
	said := lens("export", "-o", filepath.Join(dir, "a\u202eb.jsonl"))
	if !strings.HasSuffix(said, `a\u202eb.jsonl`+"\n") {
		t.Errorf("it says %q", said)
	}
}

func TestExport_NoClearMatch(t *testing.T) {
	dir, server := t.TempDir(), embedtest.New(t, embedtest.Options{})
	lens := func(code int, args ...string) (said string) {
		t.Helper()
		cmd := exec.Command("lens", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "OPENAI_BASE_URL="+server.URL)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Fatalf("%v: exit code %d, want %d: %s", args, got, code, out)
		}
		return string(out)
	}
	var lines strings.Builder
	for i := range 60 { // enough to tell what stands out
		fmt.Fprintf(&lines, `{"id": %d, "text": "Bread number %d."}`+"\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus.jsonl"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	lens(0, "import", "corpus.jsonl", "--yes")
	query, file := "zzzz", filepath.Join(dir, "z.md")
	for i := 0; !strings.Contains(lens(0, "peek", query), "No clear match"); i++ { // the vectors are random
		query = fmt.Sprint("zzzz", i)
	}
	for _, mode := range []string{"auto", "hybrid"} {
		said := lens(nothing, "export", "--query", query, "--mode", mode, "-o", file)
		if want := "error: no turn is a clear match for the query\nhint: change the query, or write the nearest turns with" +
			" --mode dense\n"; said != want {
			t.Errorf("%s: got %q, want %q", mode, said, want)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: the file is written", mode)
		}
	}
	said := lens(0, "export", "--query", query, "--mode", "dense", "-o", file)
	if want := "No clear match. The nearest 60 turns were written.\n"; !strings.HasSuffix(said, want) {
		t.Errorf("dense: got %q, want %q", said, want)
	}
}

func TestExport_LeftUnwritten(t *testing.T) {
	for _, c := range []struct {
		n        int
		coverage retrieval.Coverage
		want     string
	}{
		{172, retrieval.Coverage{Matching: 172}, ""},
		{100, retrieval.Coverage{Matching: 172, Truncated: true}, "The best 100 of 172 matches were written; --top-k 172 writes all."},
		{100, retrieval.Coverage{Matching: 1720, Truncated: true}, "The best 100 of 1,720 matches were written; --top-k 1000 writes more."},
		{100, retrieval.Coverage{Matching: 104, Truncated: true, Uncounted: true}, "The best 100 matches were written; --top-k 1000 writes more."},
		{
			query.MaxTopK,
			retrieval.Coverage{Matching: 1720, Truncated: true},
			"The best 1,000 of 1,720 matches were written, which is the most; filters such as --since select others.",
		},
		{1, retrieval.Coverage{Matching: 2, Truncated: true}, "The best 1 of 2 matches was written; --top-k 2 writes all."},
		{
			1,
			retrieval.Coverage{Matching: 104, Truncated: true, Uncounted: true},
			"The best match was written; --top-k 1000 writes more.",
		},
		{100, retrieval.Coverage{Matching: 100, Faint: true}, "No clear match. The nearest 100 turns were written."},
		{
			query.MaxTopK,
			retrieval.Coverage{Matching: 2959, Faint: true, Truncated: true},
			"No clear match. The nearest 1,000 turns were written.",
		},
	} {
		if got := leftUnwritten(c.n, c.coverage); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
