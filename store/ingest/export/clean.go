package export

import (
	"bytes"
	"io"

	"lens/internal/cleantext"
	"lens/store"
)

// Cleaning says how a format makes control characters visible: people read exports with pagers and editors on
// terminals, to which such characters are commands.
type Cleaning int

// The ways of cleaning.
const (
	// CleanTexts cleans each text before it is encoded, unless raw texts are wanted. It suits every format.
	CleanTexts Cleaning = iota

	// CleanLines cleans the encoded lines instead. It suits formats that are lines of plain text.
	CleanLines

	// CleanJSON is for JSON, which escapes control characters. For a terminal, the other unsafe characters are escaped as
	// well, which keeps their meaning.
	CleanJSON
)

// ofTexts returns the function that cleans texts; nil: they stay as they are.
func (c Cleaning) ofTexts(opts Options) func(string) string {
	if c == CleanTexts && (opts.Terminal || !opts.Raw) {
		return cleantext.Text
	}
	return nil
}

// ofLines returns the function that cleans encoded lines; nil: they stay as they are.
func (c Cleaning) ofLines(opts Options) func(string) string {
	switch {
	case c == CleanLines && (opts.Terminal || !opts.Raw):
		return cleantext.Text
	case c == CleanJSON && opts.Terminal:
		return cleantext.JSON
	}
	return nil
}

// cleanTexts cleans the texts of a turn that people or models wrote.
func cleanTexts(t *store.Turn, clean func(string) string) {
	for _, text := range []*string{&t.Title, &t.Model, &t.UserText, &t.AssistantText, &t.Summary} {
		*text = clean(*text)
	}
}

// lineCleaner cleans the bytes that pass through it, line by line, because a write may end inside a character.
type lineCleaner struct {
	to    io.Writer
	clean func(string) string // nil: bytes pass as they are
	rest  []byte              // the incomplete last line
}

// Write cleans and writes all lines that p completes.
func (c *lineCleaner) Write(p []byte) (int, error) {
	if c.clean == nil {
		return c.to.Write(p)
	}
	end := bytes.LastIndexByte(p, '\n') + 1
	if end > 0 {
		c.rest = append(c.rest, p[:end]...)
		if err := c.flush(); err != nil {
			return 0, err
		}
	}
	c.rest = append(c.rest, p[end:]...)
	return len(p), nil
}

// flush writes the rest, even if it is an incomplete line.
func (c *lineCleaner) flush() error {
	if c.clean == nil {
		return nil
	}
	_, err := io.WriteString(c.to, c.clean(string(c.rest)))
	c.rest = c.rest[:0]
	return err
}
