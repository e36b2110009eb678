package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"
)

// canAsk reports whether there is somebody to ask.
func (s *session) canAsk() bool { return term.IsTerminal(s.in.Fd()) }

// ask puts a question that is answered by yes or no; anything but yes is no. Where nobody can answer it refuses, and says what would
// have been asked.
func (s *session) ask(ctx context.Context, question string) (bool, error) {
	if !s.canAsk() {
		return false, &refusal{
			code: failed, message: "this needs a yes, and there is no terminal to ask on",
			hint: "look at what is said above, then say --yes",
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

// typed returns the next line, without the blanks around it. Errors: io.EOF when there is none, ctx's.
func (s *session) typed(ctx context.Context) (string, error) {
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() { // a read cannot be cancelled; the process ends without it
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
