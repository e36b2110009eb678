package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// pipeline is a tokenizer that a tokenizer.json of the library "tokenizers" describes: the text is normalized, split in
// words, and each word cut into pieces. Tokens that the text has as such are taken out before. Ids do not include those
// that stand around a text: the encoder puts them around each window.
type pipeline struct {
	raw, normalized addedTokens // looked for before and after the text is normalized
	normalize       normalizer
	split           splitter
	model           wordModel
	first, last     int32 // the ids around a text
	top             int32 // the highest id
}

type (
	normalizer func(text string) string
	splitter   func(text string) iter.Seq[string]
)

// wordModel cuts words into pieces. cut appends their ids, and top is the highest.
type wordModel interface {
	cut(ids []int32, word string) []int32
	top() int32
}

// tokenizerFile is what Lens reads of a tokenizer.json. It ignores truncation and padding.
type tokenizerFile struct {
	Added      []addedToken    `json:"added_tokens"`
	Normalizer *normalizerFile `json:"normalizer"`
	Splitter   *splitterFile   `json:"pre_tokenizer"`
	Around     *aroundFile     `json:"post_processor"`
	Model      modelFile       `json:"model"`
}

type modelFile struct {
	Type         string          `json:"type"`
	Vocabulary   json.RawMessage `json:"vocab"`
	Unknown      string          `json:"unk_token"`
	Prefix       string          `json:"continuing_subword_prefix"`
	MaxRunes     int             `json:"max_input_chars_per_word"`
	UnknownID    *int            `json:"unk_id"`
	ByteFallback bool            `json:"byte_fallback"`
}

func openTokenizer(path string) (*pipeline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := readTokenizer(data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	return p, nil
}

func readTokenizer(data []byte) (*pipeline, error) {
	var f tokenizerFile
	// encoding/json takes three times as long.
	err := jsonv2.Unmarshal(data, &f, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	p := &pipeline{}
	if p.model, err = f.Model.read(); err != nil {
		return nil, err
	}
	if p.normalize, err = f.Normalizer.read(); err != nil {
		return nil, err
	}
	if p.split, err = f.Splitter.read(); err != nil {
		return nil, err
	}
	if p.first, p.last, err = f.Around.read(); err != nil {
		return nil, err
	}
	p.top = max(p.model.top(), p.first, p.last)
	for _, t := range f.Added {
		if err := p.add(t); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (f *modelFile) read() (wordModel, error) {
	switch f.Type {
	case "WordPiece", "":
		return readWordPiece(f)
	case "Unigram":
		return readUnigram(f)
	}
	return nil, fmt.Errorf("model %q is not supported, only WordPiece and Unigram", f.Type)
}

func (p *pipeline) add(t addedToken) error {
	switch {
	case t.Content == "":
		return nil
	case t.ID < 0:
		return fmt.Errorf("token %q has the id %d", t.Content, t.ID)
	case t.SingleWord:
		return fmt.Errorf("token %q must be a word of its own (single_word), which is not supported", t.Content)
	}
	p.top = max(p.top, t.ID)
	if !t.Normalized {
		p.raw.add(t)
	} else if t.Content = p.normalize(t.Content); t.Content != "" {
		p.normalized.add(t)
	}
	return nil
}

// encode appends the ids of text.
func (p *pipeline) encode(ids []int32, text string) []int32 {
	for text = strings.ToValidUTF8(text, "\ufffd"); text != ""; {
		before, token, after := p.raw.next(text)
		ids = p.encodeNormalized(ids, p.normalize(before))
		if token != nil {
			ids = append(ids, token.ID)
		}
		text = after
	}
	return ids
}

func (p *pipeline) encodeNormalized(ids []int32, text string) []int32 {
	for text != "" {
		before, token, after := p.normalized.next(text)
		for word := range p.split(before) {
			ids = p.model.cut(ids, word)
		}
		if token != nil {
			ids = append(ids, token.ID)
		}
		text = after
	}
	return ids
}

// aroundFile is a post-processor: the tokens before and after a text.
type aroundFile struct {
	Type   string `json:"type"`
	Single []struct {
		Special *struct {
			ID string `json:"id"`
		} `json:"SpecialToken"`
		Text *struct{} `json:"Sequence"`
	} `json:"single"`
	Special map[string]struct {
		IDs []int32 `json:"ids"`
	} `json:"special_tokens"`
	First tokenWithID `json:"cls"`
	Last  tokenWithID `json:"sep"`
}

type tokenWithID struct{ id int32 }

// UnmarshalJSON implements json.Unmarshaler.
func (t *tokenWithID) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[2]any{new(string), &t.id})
}

func (f *aroundFile) read() (first, last int32, err error) {
	switch {
	case f == nil:
		return 0, 0, errors.New("no post_processor: nothing stands before and after a text")
	case f.Type == "BertProcessing" || f.Type == "RobertaProcessing":
		first, last = f.First.id, f.Last.id
	case f.Type == "TemplateProcessing":
		if first, last, err = f.template(); err != nil {
			return 0, 0, err
		}
	default:
		return 0, 0, fmt.Errorf("post-processor %q is not supported", f.Type)
	}
	if first < 0 || last < 0 {
		return 0, 0, fmt.Errorf("post-processor: the ids %d and %d", first, last)
	}
	return first, last, nil
}

func (f *aroundFile) template() (first, last int32, err error) {
	s := f.Single
	if len(s) != 3 || s[0].Special == nil || s[1].Text == nil || s[2].Special == nil {
		return 0, 0, errors.New("post-processor: not one token before and one after the text")
	}
	before, after := f.Special[s[0].Special.ID].IDs, f.Special[s[2].Special.ID].IDs
	if len(before) != 1 || len(after) != 1 {
		return 0, 0, errors.New("post-processor: the tokens around the text have no id")
	}
	return before[0], after[0], nil
}
