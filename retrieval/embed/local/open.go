package local

import (
	"os"
	"path/filepath"

	"lens/internal/errs"
)

// Pooling is how a BERT model makes one vector of the vectors of its tokens.
type Pooling uint8

// A model is trained for one of them.
const (
	FirstToken Pooling = iota // the vector of [CLS]
	MeanToken                 // the mean of all tokens, [CLS] and [SEP] included
)

// Spec holds what a model's files do not say.
type Spec struct {
	Name        string
	Pooling     Pooling // BERT only
	MaxTokens   int     // that a BERT reads at once, with those around a text; 0: as many as it has positions
	QueryPrefix string
}

// Open opens the model in dir: a BERT by model.safetensors, tokenizer.json and config.json, a Universal Sentence
// Encoder Lite by model.json, vocab.json and its shards. Errors name the file: invalid, or unavailable when files
// are missing.
func Open(dir string, spec Spec) (*Model, error) {
	m := &Model{name: spec.Name, prefix: spec.QueryPrefix}
	var err error
	if exists(dir, "model.safetensors") {
		err = m.openBert(dir, spec)
	} else {
		err = m.openUseLite(dir)
	}
	if err != nil {
		return nil, openError(spec.Name, err)
	}
	return m, nil
}

func (m *Model) openBert(dir string, spec Spec) error {
	tokens, err := openTokenizer(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		return err
	}
	m.tokens = tokens
	m.enc, err = openBert(dir, spec, tokens)
	return err
}

func (m *Model) openUseLite(dir string) error {
	tokens, err := openUseUnigram(filepath.Join(dir, "vocab.json"))
	if err != nil {
		return err
	}
	m.tokens = tokens
	m.enc, err = openUseLite(dir)
	return err
}

func openError(name string, err error) error {
	e := &errs.Error{
		Code: errs.Invalid, Op: "local: open", Message: "the files of model " + name + " are unusable", Err: err,
		Hint: "run lens model verify, then pull or import the model again",
	}
	if os.IsNotExist(err) {
		e.Code = errs.Unavailable
		e.Message, e.Hint = "the built-in model "+name+" is not installed", "run lens model pull "+name
	}
	return e
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
