package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lens/internal/testenv"
)

// peakMemory returns the most memory that this process had so far, in bytes.
func peakMemory(t testing.TB) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	testenv.Must(t, err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	testenv.Must(t, err)
	return kib << 10
}

// paragraphs returns n bytes of sentences of 20,000 words, a hundred under each heading.
func paragraphs(n int, heading, before, after string) []byte {
	var b bytes.Buffer
	words := rand.New(rand.NewPCG(1, 2))
	for i := 0; b.Len() < n; i++ {
		if i%100 == 0 {
			fmt.Fprintf(&b, heading, i)
		}
		b.WriteString(before + "The heron")
		for range 12 {
			fmt.Fprintf(&b, " w%d", words.IntN(20_000))
		}
		b.WriteString("." + after)
	}
	return b.Bytes()
}

func wordDocument(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	part, err := w.Create("word/document.xml")
	testenv.Must(t, err)
	fmt.Fprintf(part, "<document><body>%s</body></document>", body)
	testenv.Must(t, w.Close())
	return b.Bytes()
}

// An import of a document takes about the greater of 62 MB and 3.3 times its text, beside what one of a document of a
// few words takes: on a busy machine, where the collector comes late, up to a quarter more.
func TestImport_DocumentMemory(t *testing.T) {
	if path := os.Getenv("LENS_TEST_IMPORT"); path != "" {
		if code := run([]string{"import", "--no-embed", path}); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		fmt.Printf("peak %d\n", peakMemory(t))
		return
	}
	if testing.Short() {
		t.Skip("SKIPPED: it imports 90 MB, and the race detector takes more memory")
	}
	importing := func(name string, data []byte) (took int64) {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		testenv.Must(t, os.WriteFile(path, data, 0o600))
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestImport_DocumentMemory$", "-test.v")
		cmd.Env = append(os.Environ(), "LENS_TEST_IMPORT="+path, "LENS_DATA_DIR="+t.TempDir(), "GOGC=", "GOMEMLIMIT=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		_, at, _ := strings.Cut(string(out), "peak ")
		if _, err := fmt.Sscanf(at, "%d", &took); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return took
	}
	const small, large = 10 << 20, 60 << 20
	before := importing("note.txt", []byte("A note about herons."))
	for _, test := range []struct {
		name string
		text int64
		data []byte
	}{
		{"small.txt", small, paragraphs(small, "Part %d\n\n", "", "\n\n")},
		{"small.md", small, paragraphs(small, "# Part %d\n\n", "", "\n\n")},
		{"small.docx", small, wordDocument(t, paragraphs(small, "%.0d", "<p><t>", "</t></p>"))},
		{"large.txt", large, paragraphs(large, "Part %d\n\n", "", "\n\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			took := importing(test.name, test.data) - before
			t.Logf("%d MB for %d MB of text, beside %d MB", took>>20, test.text>>20, before>>20)
			if took > max(77<<20, 17*test.text/4) {
				t.Errorf("%d MB for %d MB of text, beside %d MB", took>>20, test.text>>20, before>>20)
			}
		})
	}
}
