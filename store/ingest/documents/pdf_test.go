package documents

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// pdfOf returns a PDF whose pages have these content streams, in Helvetica with letters half as wide as high.
func pdfOf(extra string, pages ...string) []byte {
	widths := strings.Repeat("500 ", 224)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "", // filled in below
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 255 /Widths [" + widths + "] >>",
		"<< /Title (Ponds) >>",
	}
	var kids []string
	for _, content := range pages {
		n, filter := len(objects)+1, ""
		if strings.HasPrefix(content, "\x78\x9c") { // as zlib begins
			filter = " /Filter /FlateDecode"
		}
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", n+1),
			fmt.Sprintf("<< /Length %d%s >>\nstream\n%s\nendstream", len(content), filter, content))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages))
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, object := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, extra, start)
	return b.Bytes()
}

const firstPage = `BT /F1 10 Tf 50 700 Td (Herons wade in shal-) Tj 0 -12 Td (low water.) Tj 0 -40 Td [(An)5(oth)-400(er) -30 (s)] TJ ET
q 1 0 0 1 0 -200 cm BT /F1 10 Tf 50 700 Td (Moved ) Tj ET BT /F1 1 Tf 10 0 0 10 80 700 Tm (to) Tj 12 0 Td (gether) Tj ET Q`

func TestParsePDF_Pages(t *testing.T) {
	data := pdfOf("", firstPage, "BT /F1 10 Tf 50 700 Td (Page two.) Tj T* (caf\xe9) ' ET")
	want := `1-2 a.pdf | "Herons wade in shallow water.\n\nAnoth ers\n\nMoved to gether\n\nPage two. café"`
	if got := outline(t, "a.pdf", data); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := parsed(t, "a.pdf", data).Title; got != "Ponds" {
		t.Errorf("the name is %q", got)
	}
}

// TestParsePDF_ManyPages: many pages in one list are read as fast as a few, and a damaged one costs itself.
func TestParsePDF_ManyPages(t *testing.T) {
	var pages []string
	for i := range 3000 {
		pages = append(pages, fmt.Sprintf("BT /F1 10 Tf 50 700 Td (Heron %d.) Tj ET", i))
	}
	data := pdfOf("", pages...)
	damaged := bytes.Replace(data, []byte(" 5 0 R 7 0 R"), []byte(" 5 0 R 4 0 R"), 1) // the title instead of a page
	damaged = bytes.Replace(damaged, []byte("[5 0 R 7 0 R"), []byte("[5 0 R 4 0 R"), 1)
	for name, c := range map[string]struct {
		data []byte
		want int
	}{"whole": {data, 3000}, "damaged": {damaged, 2999}} {
		text, reason := readPages(c.data, time.Now().Add(time.Hour))
		n := 0
		for _, p := range text.pieces() {
			n += strings.Count(p.text, "Heron")
		}
		if reason != "" || n < c.want || n > 2*c.want { // pieces overlap
			t.Errorf("%s: %d pages, %q", name, n, reason)
		}
	}
}

func TestParsePDF_Reasons(t *testing.T) {
	whole := pdfOf("", firstPage)
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"encrypted", "encrypted PDF", pdfOf("/Encrypt << /Filter /Standard /V 1 /R 2 /O ("+strings.Repeat("o", 32)+") /U ("+strings.Repeat("u", 32)+") /P -4 >> /ID [(0123456789abcdef) (0123456789abcdef)]", firstPage)},
		{"incomplete", "damaged PDF", whole[:len(whole)/2]},
		{"of pictures", "PDF without text, perhaps scanned", pdfOf("", "q 1 0 0 1 0 0 cm /Im1 Do Q")},
		{"without pages", "PDF without text, perhaps scanned", pdfOf("")},
	} {
		if _, skip := Parse(&File{Path: "/a.pdf", Data: c.data}); skip == nil || skip.Reason != c.want {
			t.Errorf("%s: got %v, want %q", c.name, skip, c.want)
		}
	}
}

func TestParsePDF_TimeLimit(t *testing.T) {
	page := "BT /F1 10 Tf " + strings.Repeat("(x) Tj ", 5000) + "ET"
	if _, reason := readPages(pdfOf("", page), time.Now().Add(-time.Second)); reason != pdfTooLong {
		t.Errorf("got %q", reason)
	}
	if text, reason := readPages(pdfOf("", page), time.Now().Add(time.Hour)); reason != "" || text.isEmpty() {
		t.Errorf("with enough time: %q, empty is %v", reason, text.isEmpty())
	}
}

func TestParsePDF_StuckReaders(t *testing.T) {
	whole := pdfOf("", firstPage)
	stuckReaders.Store(maxStuckReaders)
	defer stuckReaders.Store(0)
	if _, reason := readPDF(whole); reason != Untried {
		t.Errorf("got %q", reason)
	}
	stuckReaders.Store(maxStuckReaders - 1)
	if _, reason := readPDF(whole); reason != "" {
		t.Errorf("with one less: %q", reason)
	}
}

func TestParsePDF_ReadBudget(t *testing.T) {
	whole := string(pdfOf("", firstPage))
	start := strings.Index(whole, "xref\n")
	data := strings.Replace(whole, "trailer\n<<", fmt.Sprintf("trailer\n<< /Prev %d", start), 1)
	if _, reason := readPages([]byte(data), time.Now().Add(time.Hour)); reason != pdfTooLong {
		t.Errorf("got %q", reason)
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(pdfOf("", firstPage, "BT (x) Tj ET"))
	f.Add(pdfOf("/Encrypt 1 0 R", firstPage))
	fuzzed(f, "a.pdf")
}

func FuzzPDFPage(f *testing.F) {
	f.Add(firstPage)
	f.Add("BT /F1 1#@E\xc0Ip <48656> Tj (a\\(b\\12\\r) Tj BI /W 1 ID \x00EI EI [(x) [1] (y)] TJ <")
	f.Add("BT /F1 1 Tf 0 1 -1 0 5 5 Tm [(a)-999(b)]TJ (c)' 1 2 (d)\" T* TL TD q q Q Q Q cm ET")
	f.Fuzz(func(t *testing.T, content string) {
		if p, skip := Parse(&File{Path: "/a.pdf", Data: pdfOf("", content)}); p != nil {
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
		} else if skip == nil {
			t.Fatal("neither a document nor a reason")
		}
	})
}
