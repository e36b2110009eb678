package main

import (
	"context"
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
	answer := make(chan string, 1)
	go func() { // a read cannot be cancelled; the process ends without it
		line, _ := s.answers.ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		s.err.println()
		return false, ctx.Err()
	case line := <-answer:
		line = strings.ToLower(strings.TrimSpace(line))
		return line == "y" || line == "yes", nil
	}
}
