package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/charmbracelet/x/term"
)

// maxSecret is how much of a file with a secret is looked at.
const maxSecret = 4096

// secret returns what opens the archive: from the file that --pin-file or LENS_PIN_FILE names, or typed; "" where there is neither a file
// nor anybody to ask. Secrets never come by flag: any process could read them there.
func (s *session) secret(ctx context.Context) (string, error) {
	if path := s.pinFile(); path != "" {
		return s.secretIn(path)
	}
	if !s.canAsk() {
		return "", nil
	}
	return s.typedSecret(ctx, "PIN or passphrase of the archive")
}

func (s *session) pinFile() string {
	if s.globals.pinFile != "" {
		return s.globals.pinFile
	}
	return os.Getenv("LENS_PIN_FILE")
}

// fileSecret is secret where nobody is to be asked.
func (s *session) fileSecret() (string, error) {
	if path := s.pinFile(); path != "" {
		return s.secretIn(path)
	}
	return "", nil
}

// secretIn returns the first line of a file; - is the standard input. A file that others may read is refused, as .env is.
func (s *session) secretIn(path string) (string, error) {
	from := io.Reader(s.answers)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", &refusal{code: failed, message: "the file with the PIN cannot be read: " + cause(err), hint: "look at --pin-file and LENS_PIN_FILE"}
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			return "", &refusal{code: failed, message: "the file with the PIN can be read by others", hint: "chmod 600 " + path}
		}
		from = io.LimitReader(f, maxSecret)
	}
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", &refusal{code: failed, message: "the file with the PIN cannot be read: " + cause(err), hint: "look at --pin-file and LENS_PIN_FILE"}
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", &refusal{code: failed, message: "the file with the PIN is empty", hint: "its first line is the PIN"}
	}
	return line, nil
}

// typedSecret asks on the terminal, without showing what is typed.
func (s *session) typedSecret(ctx context.Context, what string) (string, error) {
	type answer struct {
		line []byte
		err  error
	}
	s.err.printf("%s: ", what)
	before, err := term.GetState(s.in.Fd())
	if err != nil {
		return "", err
	}
	read := make(chan answer, 1)
	go func() { // a read cannot be cancelled; the process ends without it
		line, err := term.ReadPassword(s.in.Fd())
		read <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		_ = term.Restore(s.in.Fd(), before)
		s.err.println()
		return "", ctx.Err()
	case a := <-read:
		s.err.println()
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return "", a.err
		}
		return string(a.line), nil
	}
}

// newSecret returns a secret to be: from path, or typed twice.
func (s *session) newSecret(ctx context.Context, path, what string) (string, error) {
	if path != "" {
		return s.secretIn(path)
	}
	if !s.canAsk() {
		return "", &refusal{code: failed, message: "this needs a new " + what + ", and there is no terminal to ask on", hint: "name a file with it"}
	}
	one, err := s.typedSecret(ctx, "New "+what)
	if err != nil {
		return "", err
	}
	again, err := s.typedSecret(ctx, "The same once more")
	if err != nil {
		return "", err
	}
	if one != again {
		return "", &refusal{code: failed, message: "that was not the same twice", hint: "try again: nothing was changed"}
	}
	return one, nil
}

// present returns the secret that opens the archive now, which changes of it ask for.
func (s *session) present(ctx context.Context) (string, error) {
	secret, err := s.secret(ctx)
	if err == nil && secret == "" {
		return "", &refusal{code: locked, message: "this needs the archive's PIN, and there is no terminal to ask on", hint: "name a file with it: --pin-file FILE"}
	}
	return secret, err
}
