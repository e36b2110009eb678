package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
)

// prompter asks the person at the terminal.
type prompter struct {
	in      *os.File
	answers *bufio.Reader // over in
	screen  *screen       // stderr
}

func newPrompter(in *os.File, stderr *screen) *prompter {
	return &prompter{in: in, answers: bufio.NewReader(in), screen: stderr}
}

// canAsk reports whether a person can answer on the terminal.
func (p *prompter) canAsk() bool { return term.IsTerminal(p.in.Fd()) }

// confirm asks a yes-or-no question and returns declined unless the answer is yes. It also returns an error when stdin
// is not a terminal.
func (p *prompter) confirm(ctx context.Context, question string, declined error) error {
	if !p.canAsk() {
		return failure("use --yes", "confirmation required, but stdin is not a terminal")
	}
	p.screen.printf("%s [y/N] ", question)
	line, err := p.readLine(ctx)
	switch {
	case ctx.Err() != nil:
		p.screen.println()
		return ctx.Err()
	case err != nil && !errors.Is(err, io.EOF):
		return err
	}
	if line = strings.ToLower(line); line != "y" && line != "yes" {
		return declined
	}
	return nil
}

// readLine returns the next line of stdin without surrounding blanks. It returns io.EOF at the end of the input.
func (p *prompter) readLine(ctx context.Context) (string, error) {
	line, err := interruptible(ctx, func() (string, error) { return p.answers.ReadString('\n') })
	if line != "" {
		err = nil // the last line may end with the input
	}
	return strings.TrimSpace(line), err
}

// readSecret asks for a line, with echo off.
func (p *prompter) readSecret(ctx context.Context, what string) (string, error) {
	p.screen.printf("%s: ", what)
	before, err := term.GetState(p.in.Fd())
	if err != nil {
		return "", err
	}
	line, err := interruptible(ctx, func() ([]byte, error) { return term.ReadPassword(p.in.Fd()) })
	if ctx.Err() != nil {
		_ = term.Restore(p.in.Fd(), before)
		err = ctx.Err()
	}
	p.screen.println()
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return string(line), nil
}

// interruptible returns the result of read, or ctx's error. A read cannot be canceled; the process ends without it.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := read()
		answers <- answer{value, err}
	}()
	select {
	case <-ctx.Done():
		return *new(T), ctx.Err()
	case a := <-answers:
		return a.value, a.err
	}
}
