package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"

	"lens/internal/errs"
)

// maxSecret is how many bytes of a file with a secret are read.
const maxSecret = 4096

// pinReader reads PINs and passphrases from files or the terminal. They never come by flag, where any process could
// read them.
type pinReader struct {
	*prompter
	flag string // --pin-file
}

// file returns the name of the file with the PIN, "" for none.
func (p *pinReader) file() string { return cmp.Or(p.flag, os.Getenv("LENS_PIN_FILE")) }

// read returns the PIN or passphrase of the archive, from the file or typed on the terminal; "" if there is neither.
func (p *pinReader) read(ctx context.Context) (string, error) {
	if p.file() != "" || !p.canAsk() {
		return p.fromFile()
	}
	return p.readSecret(ctx, "PIN or passphrase of the archive")
}

// require is read with an error if there is no PIN.
func (p *pinReader) require(ctx context.Context) (string, error) {
	pin, err := p.read(ctx)
	if err == nil && pin == "" {
		return "", failureWith(errs.Locked, "use --pin-file FILE",
			"the PIN of the archive is required, but stdin is not a terminal")
	}
	return pin, err
}

// fromFile is read without asking on the terminal.
func (p *pinReader) fromFile() (string, error) {
	if p.file() == "" {
		return "", nil
	}
	return p.readFile(p.file())
}

// readFile returns the first line of a file; - is stdin. It refuses a file that others may read, as config does with
// .env.
func (p *pinReader) readFile(path string) (string, error) {
	from := io.Reader(p.answers)
	unreadable := func(err error) error {
		return failure("check --pin-file and LENS_PIN_FILE", "cannot read the PIN file: %s", cause(err))
	}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", unreadable(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err == nil && info.Mode().IsRegular() && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			return "", failure("run chmod 600 "+path, "the PIN file is readable by other users")
		}
		from = io.LimitReader(f, maxSecret)
	}
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", unreadable(err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", failure("put the PIN on its first line", "the PIN file is empty")
	}
	return line, nil
}

// readNew returns a new secret, from path or typed twice.
func (p *pinReader) readNew(ctx context.Context, path, what string) (string, error) {
	if path != "" {
		return p.readFile(path)
	}
	if !p.canAsk() {
		return "", failure("use --new-pin-file FILE", "a new %s is required, but stdin is not a terminal", what)
	}
	one, err := p.readSecret(ctx, "New "+what)
	if err != nil {
		return "", err
	}
	again, err := p.readSecret(ctx, "Repeat it")
	if err != nil {
		return "", err
	}
	if one != again {
		return "", failure("try again; nothing changed", "the two entries do not match")
	}
	return one, nil
}
