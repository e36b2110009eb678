package ingest

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
)

var update = flag.Bool("update", false, "rewrite testdata/importer.golden")

// fixtureDigest is what comes from a fixture.
type fixtureDigest struct{ content, result string }

// TestImporter_IsRaised compares what the parsers find in all fixtures with what they found before: where that changes
// and the fixture did not, archives must read their files again.
func TestImporter_IsRaised(t *testing.T) {
	const golden = "testdata/importer.golden"
	number, before := readGolden(t, golden)
	now := fixtureDigests(t)
	changed := false
	for _, name := range slices.Sorted(maps.Keys(now)) {
		was, known := before[name]
		if changed = changed || was != now[name]; known && was.content == now[name].content &&
			was.result != now[name].result && number == importer {
			t.Errorf("raise importer: other conversations, texts or documents come from %s", name)
		}
	}
	if t.Failed() || !changed && len(before) == len(now) && number == importer {
		return
	}
	if !*update {
		t.Fatalf("importer or a fixture changed: go test ./store/ingest -run Importer -update writes %s", golden)
	}
	out := fmt.Sprintf("importer %d\n", importer)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		out += fmt.Sprintf("%s %s %s\n", now[name].content, now[name].result, name)
	}
	testenv.Must(t, os.WriteFile(golden, []byte(out), 0o600))
}

func readGolden(t *testing.T, path string) (importer int, all map[string]fixtureDigest) {
	t.Helper()
	all = map[string]fixtureDigest{}
	in, err := os.Open(path)
	testenv.Must(t, err)
	defer in.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var d fixtureDigest
		var name string
		if _, err := fmt.Sscanf(lines.Text(), "importer %d", &importer); err == nil {
			continue
		}
		_, err := fmt.Sscanf(lines.Text(), "%s %s %s", &d.content, &d.result, &name)
		testenv.Must(t, err)
		all[name] = d
	}
	testenv.Must(t, lines.Err())
	return importer, all
}

// fixtureDigests reads the fixtures of all sources, each file by itself, and the folders of testdata/importer.
func fixtureDigests(t *testing.T) map[string]fixtureDigest {
	t.Helper()
	all := map[string]fixtureDigest{}
	files, err := filepath.Glob("source/*/testdata/*")
	testenv.Must(t, err)
	folders, err := filepath.Glob("testdata/importer/*")
	testenv.Must(t, err)
	for _, path := range slices.Concat(files, folders) {
		if path := filepath.ToSlash(path); !strings.HasSuffix(path, "/testdata/fuzz") {
			all[path] = fixtureDigest{contentDigest(t, path), resultDigest(t, path)}
		}
	}
	return all
}

func short(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }

func contentDigest(t *testing.T, path string) string {
	t.Helper()
	h := sha256.New()
	testenv.Must(t, filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(h, "%q %q\n", filepath.ToSlash(path), data)
		return err
	}))
	return short(h)
}

// resultDigest covers the ids, texts and times of all conversations and of what derives from them. Documents are known
// by their absolute path, so their ids are not in it.
func resultDigest(t *testing.T, path string) string {
	t.Helper()
	in, err := openInputFiles(t.Context(), []string{path}, Options{Tools: true})
	testenv.Must(t, err)
	defer in.Close()
	h := sha256.New()
	n := 0
	for e, err := range in.entries(t.Context(), nil) {
		testenv.Must(t, err)
		if e.parsed == nil {
			if e.skip != nil {
				fmt.Fprintf(h, "skipped %q\n", e.skip.Reason)
			}
			continue
		}
		n++
		digestOf(h, e.parsed)
		for _, d := range ofParsed(e.parsed) {
			fmt.Fprintf(h, "%q\n", d.Document.Path)
			digestOf(h, d.Parsed)
		}
	}
	if n == 0 {
		t.Errorf("nothing comes from %s", path)
	}
	return short(h)
}

func digestOf(h hash.Hash, p *chat.Parsed) {
	isFile := p.Source == store.Documents // its ids are made of its path, its time is that of the file
	id := func(id fmt.Stringer) string { return id.String() }
	when := func(at time.Time) string { return at.UTC().String() }
	if isFile {
		id = func(fmt.Stringer) string { return "" }
		when = func(time.Time) string { return "" }
	}
	fmt.Fprintf(h, "%s %q %q %s %s %q\n", id(p.ID), p.Source, p.Title, when(p.Created), when(p.Updated), p.Model)
	for i := range p.Messages {
		m := &p.Messages[i]
		fmt.Fprintf(h, "%s %s %s %q %q %q %t %t %q\n",
			id(m.ID), id(m.Parent), id(m.Turn), m.Role, m.ContentType, m.Text, m.Visible, m.OnPath, m.Raw)
	}
	for i := range p.Turns {
		turn := &p.Turns[i]
		fmt.Fprintf(h, "%s %q %q %s %t %t\n",
			id(turn.ID), turn.UserText, turn.AssistantText, when(turn.Time), turn.OnPath, turn.Embeddable)
	}
}

// Only a new download adds what is missing from a file that was read in part.
func TestImportError_Hint(t *testing.T) {
	const again = "download the export again and import the new file"
	for _, c := range []struct{ hint, before, want string }{
		{chat.HintDownload, "", again},
		{chat.HintDownload, "3 records", again + ": that adds what is missing"},
		{errs.First(chat.TooLarge("read")).Hint, "3 records", "check where the file came from; no chat grows that large"},
		{"", "3 records", ""},
	} {
		err := importError("chats.json", c.before, &errs.Error{Code: errs.Invalid, Message: "a reason", Hint: c.hint})
		if got := errs.First(err).Hint; got != c.want {
			t.Errorf("%q after %q: %q, want %q", c.hint, c.before, got, c.want)
		}
	}
}
