package boot

import (
	"errors"
	"os"

	"lens/internal/config"
	"lens/retrieval/offline"
	"lens/store"
)

// The synonyms of the offline retriever tell whom and what a person looks for. They are one file in the configuration folder, where any editor
// changes it; or beside the archive, encrypted with it. That in the configuration folder goes first: what is edited there counts at once.

const keywordsFile = "keywords.yaml"

func plainKeywords() string { return config.KeywordsPath(config.Options{}) }

// Keywords returns the text of keywords.yaml as it is now, nil where there is none. Errors: locked, *offline.KeywordsError, vault.ErrSealed.
func (l *Lens) Keywords() ([]byte, error) {
	text, err := offline.ReadKeywords(plainKeywords())
	if text != nil || err != nil {
		return text, err
	}
	h, err := l.home()
	if err != nil {
		return nil, err
	}
	text, err = h.read(keywordsFile)
	return text, onlyIfThere(err)
}

// KeepKeywords keeps a text beside the archive, encrypted where that is; with nil, none. Errors: locked; invalid for a text that is
// none, and where a file in the configuration folder goes first.
func (l *Lens) KeepKeywords(text []byte) error {
	if err := validKeywords(text); err != nil {
		return err
	}
	if !missing(plainKeywords()) {
		return &store.Error{
			Code: store.CodeInvalid, Op: "keep keywords", Message: "keywords.yaml in the configuration folder would go first",
			Hint: "edit " + plainKeywords() + ", or move it away",
		}
	}
	h, err := l.home()
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return h.remove(keywordsFile)
	}
	return errors.Join(os.MkdirAll(h.dir, 0o700), h.write(keywordsFile, text))
}

// TakeInKeywords moves keywords.yaml of the configuration folder to the encrypted archive, and reports whether there was one. One that is not
// valid stays where it can be mended. Errors: locked, invalid, those of the file system.
func (l *Lens) TakeInKeywords() (taken bool, err error) {
	text, err := offline.ReadKeywords(plainKeywords())
	if text == nil || err != nil {
		return false, err
	}
	if err := validKeywords(text); err != nil {
		return false, err
	}
	h, err := l.home()
	if err != nil {
		return false, err
	}
	if err := h.write(keywordsFile, text); err != nil {
		return false, err
	}
	return true, os.Remove(plainKeywords())
}

func validKeywords(text []byte) error {
	if err := offline.CheckKeywords(text); err != nil {
		return &store.Error{Code: store.CodeInvalid, Op: "keep keywords", Message: "keywords.yaml is not valid", Hint: "correct it: car: [automobile, vehicle]", Err: err}
	}
	return nil
}

// checkSynonyms says where keywords.yaml lies, where somebody might not expect it there.
func (l *Lens) checkSynonyms() (Check, bool) {
	c := Check{Name: "keywords.yaml", Status: Warn, Message: "it lies in the configuration folder, not encrypted", Hint: "lens keywords take encrypts it with the archive"}
	return c, l.Encrypted() && !missing(plainKeywords())
}
