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

// maxSecret is how many bytes of a file with a secret are read.
const maxSecret = 4096

// secret returns the PIN or passphrase of the archive, from the file that --pin-file or LENS_PIN_FILE names or typed on
// the terminal; "" if there is neither. Secrets never come by flag, where any process could read them.
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

// fileSecret is secret without asking on the terminal.
func (s *session) fileSecret() (string, error) {
	if path := s.pinFile(); path != "" {
		return s.secretIn(path)
	}
	return "", nil
}

// secretIn returns the first line of a file; - is stdin. It refuses a file that others may read, as config does with
// .env.
func (s *session) secretIn(path string) (string, error) {
	from := io.Reader(s.answers)
	unreadable := func(err error) error {
		return &refusal{
			code: failed, message: "cannot read the PIN file: " + cause(err),
			hint: "check --pin-file and LENS_PIN_FILE",
		}
	}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", unreadable(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err == nil && info.Mode().IsRegular() && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			return "", &refusal{code: failed, message: "the PIN file is readable by other users", hint: "run chmod 600 " + path}
		}
		from = io.LimitReader(f, maxSecret)
	}
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", unreadable(err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", &refusal{code: failed, message: "the PIN file is empty", hint: "put the PIN on its first line"}
	}
	return line, nil
}

// typedSecret asks on the terminal, with echo off.
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
	go func() { // a read cannot be canceled; the process ends without it
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

// newSecret returns a new secret, from path or typed twice.
func (s *session) newSecret(ctx context.Context, path, what string) (string, error) {
	if path != "" {
		return s.secretIn(path)
	}
	if !s.canAsk() {
		return "", &refusal{
			code: failed, message: "a new " + what + " is required, but stdin is not a terminal",
			hint: "use --new-pin-file FILE",
		}
	}
	one, err := s.typedSecret(ctx, "New "+what)
	if err != nil {
		return "", err
	}
	again, err := s.typedSecret(ctx, "Repeat it")
	if err != nil {
		return "", err
	}
	if one != again {
		return "", &refusal{code: failed, message: "the two entries do not match", hint: "try again; nothing changed"}
	}
	return one, nil
}

// present returns the secret that opens the archive now; changing it requires that.
func (s *session) present(ctx context.Context) (string, error) {
	secret, err := s.secret(ctx)
	if err == nil && secret == "" {
		return "", &refusal{
			code: locked, message: "the PIN of the archive is required, but stdin is not a terminal",
			hint: "use --pin-file FILE",
		}
	}
	return secret, err
}
