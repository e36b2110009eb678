package export

import (
	"bytes"
	"io"

	"lens/internal/cleantext"
	"lens/store"
)

// lineCleaning returns what makes control characters in encoded lines visible, because people read exports in
// terminals, to which such characters are commands. nil: the lines stay as they are.
func (f Format) lineCleaning(opts Options) func(string) string {
	switch {
	case f.EscapesControls && opts.Terminal:
		return cleantext.JSON // escapes bidirectional controls, too, which keeps the meaning
	case f.EscapesControls, opts.Raw && !opts.Terminal:
		return nil
	}
	return cleantext.Text
}

func (f Format) disarm(t *store.Turn) {
	for _, text := range []*string{&t.Title, &t.Model, &t.UserText, &t.AssistantText, &t.Summary} {
		*text = f.Disarm(*text)
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
