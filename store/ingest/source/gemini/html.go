package gemini

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"lens/internal/errs"
	"lens/store/ingest/chat"
)

// maxToken bounds the size of one token, in bytes.
const maxToken = 64 << 20

// htmlEntries yields the entries of an HTML log. Each is a cell that holds the product and then a cell with the action,
// the date and the reply, on lines of their own.
func htmlEntries(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		w := walker{tokens: html.NewTokenizer(r)}
		w.tokens.SetMaxBuf(maxToken)
		for n := 0; ; n++ {
			e, more := w.entry()
			if e != nil {
				parsed, skip := e.parsed()
				if skip != nil {
					skip.Index = n
					if !yield(nil, skip) {
						return
					}
				} else if !yield(parsed, nil) {
					return
				}
			}
			if more {
				continue
			}
			if err := w.tokens.Err(); !errors.Is(err, io.EOF) {
				yield(nil, unreadable(err))
			}
			return
		}
	}
}

func unreadable(err error) error {
	var known *errs.Error
	if errors.As(err, &known) {
		return err
	}
	return &errs.Error{
		Code:    errs.Invalid,
		Op:      "gemini: read",
		Message: "invalid HTML",
		Hint:    "download the activity from Google Takeout again, as JSON if possible",
		Err:     err,
	}
}

// walker reads an HTML log entry by entry.
type walker struct {
	tokens *html.Tokenizer
	begun  bool // the first entry has begun
}

// entry reads up to the beginning of the next entry and returns the current one, nil before the first. more is false at
// the end.
func (w *walker) entry() (e *entry, more bool) {
	var product, body lineWriter
	in := &product
	depth := 0 // of the cell that is being read
	for {
		kind := w.tokens.Next()
		if kind == html.ErrorToken {
			return w.finish(&product, &body), false
		}
		token := w.tokens.Token()
		isDiv := token.DataAtom == atom.Div
		switch {
		case isDiv && kind == html.StartTagToken && has(token, "outer-cell"):
			e := w.finish(&product, &body)
			w.begun = true
			return e, true
		case !w.begun:
		case isDiv && kind == html.StartTagToken && depth == 0 && has(token, "header-cell"):
			in, depth = &product, 1
		case isDiv && kind == html.StartTagToken && depth == 0 && has(token, "mdl-typography--body-1") &&
			len(body.lines) == 0 && body.empty():
			in, depth = &body, 1
		case depth == 0:
		case isDiv && kind == html.StartTagToken:
			depth++
			in.handleToken(kind, token)
		case isDiv && kind == html.EndTagToken:
			depth--
			in.handleToken(kind, token)
		default:
			in.handleToken(kind, token)
		}
	}
}

func has(t html.Token, class string) bool {
	for _, a := range t.Attr {
		if a.Key == "class" {
			for name := range strings.FieldsSeq(a.Val) {
				if name == class {
					return true
				}
			}
		}
	}
	return false
}

// finish makes an entry of the lines read: the action stands above the date, the reply below it.
func (w *walker) finish(product, body *lineWriter) *entry {
	if !w.begun {
		return nil
	}
	e := &entry{product: strings.Join(product.done(), " ")}
	lines := body.done()
	at := len(lines)
	for i := 1; i < len(lines); i++ {
		if t, ok := dateOf(lines[i]); ok {
			e.time, at = t, i
			break
		}
	}
	e.title = strings.Join(lines[:at], "\n")
	verb, words, ok := strings.Cut(e.title, "\u00a0")
	if ok && len(verb) < 40 && !strings.Contains(verb, "\n") && !isActionVerb(verb) {
		e.title = promptVerbs[0] + words // the verb in any language
	}
	if at < len(lines) {
		e.reply = strings.TrimSpace(strings.Join(lines[at+1:], "\n"))
	}
	e.title, e.reply = chat.Clean(e.title), chat.Clean(e.reply)
	raw, err := json.Marshal(map[string]any{"header": e.product, "lines": lines})
	if err != nil {
		raw = []byte("{}")
	}
	e.raw = raw
	return e
}

func isActionVerb(verb string) bool {
	for _, known := range actionVerbs {
		if verb+" " == known {
			return true
		}
	}
	return false
}
