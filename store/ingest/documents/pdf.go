package documents

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/ledongthuc/pdf"
)

// Bounds on what a PDF may cost: a few bytes of it can ask for anything.
const (
	maxPages    = 20_000
	maxPDFText  = 64 << 20
	maxPDFTime  = time.Minute
	pdfNotHeard = "PDF that takes more than a minute to read"
)

// readPDF takes the text of each page. The reader of PDFs is kept to a time: it works on its own, and is left alone with a file on which
// it does not come to an end.
func readPDF(data []byte) (text, string) {
	type result struct {
		text
		reason string
	}
	done := make(chan result, 1)
	stop := time.Now().Add(maxPDFTime)
	go func() {
		t, reason := pagesOf(data, stop)
		done <- result{t, reason}
	}()
	select {
	case r := <-done:
		return r.text, r.reason
	case <-time.After(maxPDFTime + time.Second):
		return text{}, pdfNotHeard
	}
}

func pagesOf(data []byte, stop time.Time) (t text, reason string) {
	defer func() {
		if recover() != nil { // the package speaks of damage so
			t, reason = text{}, "damaged PDF"
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	switch {
	case errors.Is(err, pdf.ErrInvalidPassword):
		return text{}, "encrypted PDF"
	case err != nil && strings.Contains(err.Error(), "encrypt"):
		return text{}, "encrypted PDF"
	case err != nil:
		return text{}, "damaged PDF"
	}
	t.title = strings.TrimSpace(r.Trailer().Key("Info").Key("Title").Text())
	size := 0
	for n := 1; n <= min(r.NumPage(), maxPages); n++ {
		p := page{left: maxPDFText - size, stop: stop}
		if !p.read(r.Page(n)) {
			return text{}, pdfNotHeard
		}
		for _, paragraph := range paragraphs(p.words.String()) {
			size += len(paragraph)
			t.blocks = append(t.blocks, block{text: flowed(paragraph), page: n})
		}
	}
	if len(t.blocks) == 0 {
		return text{}, "PDF without text, perhaps scanned"
	}
	return t, ""
}

// flowed makes one line of a paragraph, and whole words of those that a line end divides.
func flowed(paragraph string) string {
	var b strings.Builder
	for line := range strings.Lines(paragraph) {
		line = strings.TrimSpace(line)
		if s := b.String(); s != "" {
			if whole, ok := strings.CutSuffix(s, "-"); ok && line != "" && line[0] >= 'a' && line[0] <= 'z' {
				b.Reset()
				b.WriteString(whole)
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(line)
	}
	return b.String()
}
