package documents

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ledongthuc/pdf"
)

// Bounds on what a PDF may cost: a few bytes of it can ask for anything.
const (
	maxPages   = 20_000
	maxPDFText = 64 << 20 // bytes of a page's drawing, and of what a document says
	maxRead    = 64       // how often each byte may be read, on average
	pdfTooLong = "PDF that takes too long to read"
	pdfDamaged = "damaged PDF"
)

// timeLimit is how long a PDF of so many bytes may take: a hundred times as long as most.
func timeLimit(bytes int) time.Duration {
	return 15*time.Second + time.Duration(bytes)*10*time.Microsecond
}

// stuckReaders counts the readers that were left alone with a file on which they do not come to an end. They cannot be stopped, so there are
// few of them: the next PDFs are left out.
var stuckReaders atomic.Int32

const maxStuckReaders = 2

// readPDF takes the text of each page.
func readPDF(data []byte) (text, string) {
	type result struct {
		text
		reason string
	}
	if stuckReaders.Load() >= maxStuckReaders {
		return text{}, pdfTooLong
	}
	done := make(chan result, 1)
	allowed := timeLimit(len(data))
	stop := time.Now().Add(allowed)
	go func() {
		t, reason := readPages(data, stop)
		done <- result{t, reason}
	}()
	select {
	case r := <-done:
		return r.text, r.reason
	case <-time.After(allowed + time.Second):
	}
	stuckReaders.Add(1)
	go func() {
		<-done
		stuckReaders.Add(-1)
	}()
	return text{}, pdfTooLong
}

// errTooExpensive ends the reading of a file that costs too much.
var errTooExpensive = errors.New("enough")

// budgetedFile is a file that may be read only so much and so long.
type budgetedFile struct {
	*bytes.Reader
	left int64
	stop time.Time
}

func (r *budgetedFile) ReadAt(p []byte, at int64) (int, error) {
	r.left -= int64(len(p))
	if r.left < 0 || time.Now().After(r.stop) {
		panic(errTooExpensive)
	}
	return r.Reader.ReadAt(p, at)
}

func readPages(data []byte, stop time.Time) (t text, reason string) {
	defer func() {
		if damage := recover(); damage != nil { // the package speaks of damage so
			t, reason = text{}, reasonOf(damage)
		}
	}()
	file := &budgetedFile{bytes.NewReader(data), 1<<20 + maxRead*int64(len(data)), stop}
	r, err := pdf.NewReader(file, int64(len(data)))
	switch {
	case errors.Is(err, pdf.ErrInvalidPassword), err != nil && strings.Contains(err.Error(), "encrypt"):
		return text{}, "encrypted PDF"
	case err != nil:
		return text{}, reasonOf(err)
	}
	t.title = strings.TrimSpace(r.Trailer().Key("Info").Key("Title").Text())
	size := 0
	for n := 1; n <= min(r.NumPage(), maxPages); n++ {
		words, reason := pageText(r, n, stop)
		if reason == pdfTooLong {
			return text{}, reason
		}
		for _, paragraph := range paragraphs(words) {
			if size += len(paragraph); size > maxPDFText {
				return text{}, pdfTooLong
			}
			t.blocks = append(t.blocks, block{text: joinLines(paragraph), page: n})
		}
	}
	if len(t.blocks) == 0 {
		return text{}, "PDF without text, perhaps scanned"
	}
	return t, ""
}

func reasonOf(damage any) string {
	if err, ok := damage.(error); ok && errors.Is(err, errTooExpensive) {
		return pdfTooLong
	}
	return pdfDamaged
}

// pageText returns what a page says; as far as it goes where it is damaged, and then the reason.
func pageText(r *pdf.Reader, n int, stop time.Time) (words, reason string) {
	g := page{space: origin, line: origin, fonts: map[string]*font{}}
	defer func() {
		words = g.words.String()
		if damage := recover(); damage != nil {
			reason = reasonOf(damage)
		}
	}()
	p := r.Page(n)
	for _, name := range p.Fonts() {
		g.fonts[name] = newFont(p.Font(name))
	}
	c := content{data: contentStream(p.V.Key("Contents"))}
	for n := 0; ; n++ {
		operator, more := c.next()
		if !more {
			return "", ""
		}
		if n%1024 == 0 && time.Now().After(stop) || g.words.Len() > maxPDFText {
			panic(errTooExpensive)
		}
		g.do(operator, c.args)
	}
}

// contentStream returns a page's content stream: one, or the parts of it one after the other.
func contentStream(contents pdf.Value) []byte {
	if contents.Kind() != pdf.Array {
		return streamData(contents)
	}
	var all []byte
	for i := range contents.Len() {
		all = append(append(all, streamData(contents.Index(i))...), '\n')
		if len(all) > maxPDFText {
			panic(errTooExpensive)
		}
	}
	return all
}

// streamData returns what a stream holds, as far as it is whole.
func streamData(stream pdf.Value) []byte {
	if stream.Kind() != pdf.Stream {
		return nil
	}
	data, _ := io.ReadAll(io.LimitReader(stream.Reader(), maxPDFText+1))
	if len(data) > maxPDFText {
		panic(errTooExpensive)
	}
	return data
}

// joinLines makes one line of a paragraph, and whole words of those that a line end divides.
func joinLines(paragraph string) string {
	var words []byte
	for line := range strings.Lines(paragraph) {
		line = strings.TrimSpace(line)
		if n := len(words); n > 0 {
			if words[n-1] == '-' && line != "" && line[0] >= 'a' && line[0] <= 'z' {
				words = words[:n-1]
			} else {
				words = append(words, ' ')
			}
		}
		words = append(words, line...)
	}
	return string(words)
}
