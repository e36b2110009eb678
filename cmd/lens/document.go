package main

import (
	"bytes"
	"io"

	"lens/cmd/internal/app"
	"lens/internal/cleantext"
)

// writeDocument calls write with a writer that cleans control characters where the reader might be a terminal. Markdown
// is always cleaned unless raw is set, because people read it with pagers and editors on terminals. JSON Lines are
// cleaned only on a terminal, where escaping keeps their meaning.
func writeDocument(to io.Writer, format string, raw bool, write func(io.Writer) error) error {
	screen, ok := to.(*screen)
	terminal := ok && screen.terminal
	c := &cleaner{to: to}
	switch {
	case !terminal && (raw || format == app.JSONL):
		return write(to)
	case format == app.JSONL:
		c.clean = cleantext.JSON
	default:
		c.clean = cleantext.Text
	}
	if err := write(c); err != nil {
		return err
	}
	return c.flush()
}

// cleaner cleans the bytes that pass through it, line by line, because a write may end inside a character.
type cleaner struct {
	to    io.Writer
	clean func(string) string
	rest  []byte // the incomplete last line
}

// Write cleans and writes all lines that p completes.
func (c *cleaner) Write(p []byte) (int, error) {
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
func (c *cleaner) flush() error {
	_, err := io.WriteString(c.to, c.clean(string(c.rest)))
	c.rest = c.rest[:0]
	return err
}
