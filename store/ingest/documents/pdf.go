package documents

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ledongthuc/pdf"
)

// Limits on the cost of a PDF: a few bytes of one can cause any amount of work.
const (
	maxPages   = 20_000
	maxPDFText = 64 << 20 // bytes of a page's content stream, and of a document's text
	maxRead    = 64       // reads of each byte, on average
	pdfTooLong = "PDF that takes too long to read"
	pdfDamaged = "damaged PDF"
)

// timeLimit returns the time that a PDF of that many bytes may take, about a hundred times what most take.
func timeLimit(bytes int) time.Duration {
	return 15*time.Second + time.Duration(bytes)*10*time.Microsecond
}

// stuckReaders counts the goroutines that exceeded the time limit. They cannot be stopped, so after a few of them PDFs
// are skipped until one ends.
var stuckReaders atomic.Int32

const maxStuckReaders = 2

// readPDF reads the text of each page.
func readPDF(data []byte) (text, string) {
	type result struct {
		text
		reason string
	}
	if stuckReaders.Load() >= maxStuckReaders {
		return text{}, Untried
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

// errTooExpensive stops the reading of a file that costs too much.
var errTooExpensive = errors.New("enough")

// budgetedFile limits how many bytes are read, and until when. It panics with errTooExpensive.
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
		if damage := recover(); damage != nil { // the pdf library panics on damaged files
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
	for n, p := range pagesOf(r) {
		words, reason := pageText(p, stop)
		if reason == pdfTooLong {
			return text{}, reason
		}
		for _, paragraph := range paragraphs(words) {
			if size += len(paragraph); size > maxPDFText {
				return text{}, pdfTooLong
			}
			t.add(block{text: joinLines(paragraph), page: n})
		}
	}
	if t.isEmpty() {
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

// pagesOf yields the pages with their numbers, from 1, as far as maxPages. The library finds each from the root of the
// tree, which reads all before it.
func pagesOf(r *pdf.Reader) iter.Seq2[int, pdf.Page] {
	return func(yield func(int, pdf.Page) bool) {
		const deepest = 32
		n, left := 0, 2*maxPages // nodes of the tree
		var walk func(node pdf.Value, depth int) bool
		walk = func(node pdf.Value, depth int) bool {
			kids := undamaged(func() pdf.Value { return node.Key("Kids") })
			if left--; left < 0 || depth > deepest {
				return false
			}
			if kids.Kind() != pdf.Array {
				n++
				return n <= maxPages && (node.Kind() != pdf.Dict || yield(n, pdf.Page{V: node}))
			}
			for i := range kids.Len() {
				if !walk(undamaged(func() pdf.Value { return kids.Index(i) }), depth+1) {
					return false
				}
			}
			return true
		}
		walk(r.Trailer().Key("Root").Key("Pages"), 0)
	}
}

// undamaged returns a value, null if it is damaged: then others may be whole.
func undamaged(read func() pdf.Value) (v pdf.Value) {
	defer func() {
		if damage := recover(); damage != nil {
			if v = (pdf.Value{}); reasonOf(damage) == pdfTooLong {
				panic(damage)
			}
		}
	}()
	return read()
}

// pageText returns the text of a page; of a damaged page the text before the damage, and the reason.
func pageText(p pdf.Page, stop time.Time) (words, reason string) {
	g := page{ctm: origin, lineMatrix: origin, fonts: map[string]*font{}}
	defer func() {
		words = g.words.String()
		if damage := recover(); damage != nil {
			reason = reasonOf(damage)
		}
	}()
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
		g.execute(operator, c.args)
	}
}

// contentStream returns a page's content stream, joining its parts.
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

// streamData returns the data of a stream up to any damage.
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

// joinLines makes one line of a paragraph and joins words that are hyphenated at a line end.
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
