package local

import (
	"errors"
	"fmt"
	"iter"
	"strings"
)

// splitterFile holds the settings of all kinds of pre-tokenizers.
type splitterFile struct {
	Type  string          `json:"type"`
	Parts []*splitterFile `json:"pretokenizers"`
	metaspace
}

func (f *splitterFile) read() (splitter, error) {
	if f == nil {
		return func(text string) iter.Seq[string] {
			return func(yield func(string) bool) { _ = text == "" || yield(text) }
		}, nil
	}
	switch f.Type {
	case "Sequence":
		return f.sequence()
	case "BertPreTokenizer":
		return words, nil
	case "WhitespaceSplit":
		return strings.FieldsSeq, nil
	case "Metaspace":
		return f.metaspace.read()
	}
	return nil, fmt.Errorf("pre-tokenizer %q is not supported", f.Type)
}

func (f *splitterFile) sequence() (splitter, error) {
	split, err := (*splitterFile)(nil).read()
	for _, part := range f.Parts {
		before := split
		after, aerr := part.read()
		if aerr != nil {
			return nil, aerr
		}
		split = func(text string) iter.Seq[string] {
			return func(yield func(string) bool) {
				for outer := range before(text) {
					for inner := range after(outer) {
						if !yield(inner) {
							return
						}
					}
				}
			}
		}
	}
	return split, err
}

// metaspace marks where words begin, as SentencePiece does: with a character in place of each blank, and one in front.
type metaspace struct {
	Mark   string  `json:"replacement"`
	Prefix *bool   `json:"add_prefix_space"` // of older files
	Scheme *string `json:"prepend_scheme"`
	Split  *bool   `json:"split"`
}

func (m *metaspace) read() (splitter, error) {
	if m.Mark == "" {
		return nil, errors.New("pre-tokenizer Metaspace has no replacement")
	}
	prepends := orTrue(m.Prefix)
	if m.Scheme != nil && prepends {
		switch *m.Scheme {
		case "always":
		case "never":
			prepends = false
		default:
			return nil, fmt.Errorf("pre-tokenizer Metaspace that prepends %q is not supported", *m.Scheme)
		}
	}
	return func(text string) iter.Seq[string] {
		text = strings.ReplaceAll(text, " ", m.Mark)
		if prepends && !strings.HasPrefix(text, m.Mark) {
			text = m.Mark + text
		}
		return func(yield func(string) bool) { m.words(text, yield) }
	}, nil
}

// words yields the words of text with the mark at which each begins.
func (m *metaspace) words(text string, yield func(string) bool) {
	for text != "" {
		end, begun := len(text), 0
		if strings.HasPrefix(text, m.Mark) {
			begun = len(m.Mark)
		}
		if next := strings.Index(text[begun:], m.Mark); next >= 0 && orTrue(m.Split) {
			end = begun + next
		}
		if !yield(text[:end]) {
			return
		}
		text = text[end:]
	}
}
