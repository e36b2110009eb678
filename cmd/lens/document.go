package main

import (
	"bytes"
	"io"

	"lens/internal/boot"
	"lens/internal/cleantext"
)

// writeDocument has write write turns in a format to a file, a pipe or a terminal. Markdown is cleaned, because it is read with pagers
// and editors on terminals, unless raw keeps it as it is; JSON lines only for a terminal, where they keep their meaning.
func writeDocument(to io.Writer, format string, raw bool, write func(io.Writer) error) error {
	screen, ok := to.(*screen)
	terminal := ok && screen.terminal
	c := &cleaner{to: to}
	switch {
	case !terminal && (raw || format == boot.JSONL):
		return write(to)
	case format == boot.JSONL:
		c.clean = cleantext.JSON
	default:
		c.clean = cleantext.Text
	}
	if err := write(c); err != nil {
		return err
	}
	return c.flush()
}

// cleaner cleans what goes through it, line by line: a write may end inside a character.
type cleaner struct {
	to    io.Writer
	clean func(string) string
	rest  []byte // the line that is not complete yet
}

// Write cleans all lines that p completes.
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

// flush writes what is left, complete or not.
func (c *cleaner) flush() error {
	_, err := io.WriteString(c.to, c.clean(string(c.rest)))
	c.rest = c.rest[:0]
	return err
}
