package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"
)

// canAsk reports whether a person can answer on the terminal.
func (s *session) canAsk() bool { return term.IsTerminal(s.in.Fd()) }

// ask asks a yes-or-no question; anything but yes means no. It returns a refusal when stdin is not a terminal.
func (s *session) ask(ctx context.Context, question string) (bool, error) {
	if !s.canAsk() {
		return false, &refusal{
			code: failed, message: "confirmation required, but stdin is not a terminal",
			hint: "use --yes",
		}
	}
	s.err.printf("%s [y/N] ", question)
	line, err := s.typed(ctx)
	switch {
	case ctx.Err() != nil:
		s.err.println()
		return false, ctx.Err()
	case err != nil && !errors.Is(err, io.EOF):
		return false, err
	}
	line = strings.ToLower(line)
	return line == "y" || line == "yes", nil
}

// typed returns the next line of stdin without surrounding blanks. It returns io.EOF at the end of the input, and ctx's
// error.
func (s *session) typed(ctx context.Context) (string, error) {
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() { // a read cannot be canceled; the process ends without it
		line, err := s.answers.ReadString('\n')
		read <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case a := <-read:
		if a.line != "" {
			a.err = nil // the last line may end with the input
		}
		return strings.TrimSpace(a.line), a.err
	}
}
