package documents

import (
	"compress/zlib"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"lens/internal/testenv"
)

// proseOf returns n bytes of paragraphs of a sentence each, with a heading for every hundredth.
func proseOf(n int, heading, before, after string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if i%100 == 0 {
			fmt.Fprintf(&b, heading, i)
		}
		fmt.Fprintf(&b, "%sThe heron %d stood in the shallow water and waited for a fish to come closer.%s", before, i, after)
	}
	return b.String()
}

// streamsOf returns the content streams of pages with n bytes of text, and about so many on each.
func streamsOf(t *testing.T, n, each int, compressed bool) (pages []string) {
	t.Helper()
	for range n / each {
		page := "BT /F1 10 Tf 50 700 Td\n" + proseOf(each, "%.0d", "(", ") Tj 0 -30 Td\n") + "ET"
		if compressed {
			var b strings.Builder
			w := zlib.NewWriter(&b)
			_, err := w.Write([]byte(page))
			testenv.Must(t, err)
			testenv.Must(t, w.Close())
			page = b.String()
		}
		pages = append(pages, page)
	}
	return pages
}

// peak returns the most memory that a process had so far, in bytes.
func peak(t testing.TB) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	testenv.Must(t, err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	testenv.Must(t, err)
	return kib << 10
}

// A process that parses a document has at most the greater of 64 MB and four times the text that it extracts, beside
// what it had before. The file and what Parse returns count, too.
func TestParse_Memory(t *testing.T) {
	if name := os.Getenv("LENS_TEST_PARSE"); name != "" {
		before := peak(t)
		data, err := os.ReadFile(name)
		testenv.Must(t, err)
		p, skip := Parse(&File{Path: name, Data: data})
		if skip != nil {
			t.Fatal(skip)
		}
		size := 0
		for i := range p.Turns {
			size += len(p.Turns[i].AssistantText)
		}
		fmt.Printf("peak %d text %d\n", peak(t)-before, size)
		return
	}
	if testing.Short() {
		t.Skip("SKIPPED: it parses 160 MB, and the race detector takes more memory")
	}
	const n = 24 << 20
	for name, data := range map[string]string{
		"a.txt":  proseOf(n, "Part %d\n\n", "", "\n\n"),
		"b.md":   proseOf(n, "# Part %d\n\n", "", "\n\n"),
		"c.html": proseOf(n, "<h1>Part %d</h1>", "<p>", "</p>"),
		"d.go":   proseOf(n, "\n\n// Part %d\n", "\t// ", "\n"),
		"e.docx": string(docxOf(t, map[string]string{"word/document.xml": "<document><body>" + proseOf(n, "%.0d", "<p><t>", "</t></p>") + "</body></document>"})),
		"f.txt":  proseOf(n, "%.0d", "", " "),
		"g.org":  proseOf(n, "* Part %d\n", "", "\n\n"),
		"h.pdf":  string(pdfOf("", streamsOf(t, n, 16<<10, false)...)),
		"i.pdf":  string(pdfOf("", streamsOf(t, n, 64<<10, true)...)),
		"j.pdf":  string(pdfOf("", streamsOf(t, n, 2<<20, true)...)),
	} {
		path := t.TempDir() + "/" + name
		testenv.Must(t, os.WriteFile(path, []byte(data), 0o600))
		var took, text int64
		for try := range 3 { // on busy processors, the collector falls behind what is allocated
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestParse_Memory$", "-test.v")
			cmd.Env = append(os.Environ(), "LENS_TEST_PARSE="+path)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			_, at, _ := strings.Cut(string(out), "peak ")
			if _, err := fmt.Sscanf(at, "%d text %d", &took, &text); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			t.Logf("%s: %d MB for %d MB of text: %.1f times", name, took>>20, text>>20, float64(took)/float64(text))
			if took <= max(64<<20, 4*text) {
				break
			}
			if try == 2 {
				t.Errorf("%s: %d MB for %d MB of text", name, took>>20, text>>20)
			}
		}
	}
}
