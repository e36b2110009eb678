package input

import (
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"io"
	"io/fs"

	"lens/internal/errs"
	"lens/store/ingest/chat"
)

const (
	hintReads  = "run lens sources for what Lens reads"
	hintChoose = "use the zip from the chat service, the unpacked folder, or its conversations.json"
)

func fail(code errs.Code, message, hint string) error {
	return &errs.Error{Code: code, Op: "input: open", Message: message, Hint: hint}
}

// pathError returns the error of a path or file that cannot be read, with a hint.
func pathError(err error) error {
	failed := &errs.Error{Op: "input: open", Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		failed.Code, failed.Message = errs.NotFound, "no such file or folder"
		failed.Hint = "check the path, or " + hintChoose
	case errors.Is(err, fs.ErrPermission):
		failed.Code, failed.Message = errs.Blocked, "permission denied"
		failed.Hint = "change its permissions, or copy it to a folder that you can read"
	default:
		failed.Code, failed.Message = errs.Unavailable, "reading failed"
		failed.Hint = "check that the disk is connected, then try again"
	}
	return failed
}

func noSpace(err error) error {
	return &errs.Error{
		Code:    errs.Unavailable,
		Op:      "input: unpack",
		Message: "what is packed in it could not be copied to a temporary file",
		Hint:    "free some disk space, or unpack it and import its contents",
		Err:     err,
	}
}

// spoolError distinguishes a damaged zip, whose error says so, from a full disk.
func spoolError(err error) error {
	var known *errs.Error
	if errors.As(err, &known) {
		return err
	}
	return noSpace(err)
}

func canceled(ctx context.Context) error {
	return &errs.Error{Code: errs.Unavailable, Op: "input: read", Message: "canceled", Err: ctx.Err()}
}

// zipError turns an error of the zip reader into one with a reason and a hint for the user.
func zipError(err error) error {
	if known := new(errs.Error); errors.As(err, &known) {
		return err
	}
	failed := &errs.Error{Code: errs.Invalid, Op: "input: read", Hint: chat.HintDownload, Err: err}
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		failed.Message = "unsupported zip compression"
		failed.Hint = "unpack the zip and import the folder"
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF):
		failed.Message = "the zip is incomplete or damaged"
	case errors.Is(err, zip.ErrChecksum), errors.As(err, &corrupt):
		failed.Message = "a file in the zip is damaged"
	default:
		return pathError(err)
	}
	return failed
}

// checkedReader reads a file. It stops when its context is done, fails when the file is larger than its listed size,
// and returns errors with a hint.
type checkedReader struct {
	ctx  context.Context
	r    io.ReadCloser
	left int64

	tooLarge error // of a file that goes on after left bytes; nil: it is damaged
}

func (g *checkedReader) Read(p []byte) (int, error) {
	if g.ctx.Err() != nil {
		return 0, canceled(g.ctx)
	}
	n, err := g.r.Read(p)
	if g.left -= int64(n); g.left < 0 {
		if g.tooLarge != nil {
			return 0, g.tooLarge
		}
		return 0, fail(errs.Invalid, "a file is larger than its listed size", chat.HintDownload)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = zipError(err)
	}
	return n, err
}

func (g *checkedReader) Close() error { return g.r.Close() }
