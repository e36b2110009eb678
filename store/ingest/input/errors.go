package input

import (
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"io"
	"io/fs"

	"lens/store"
)

const (
	hintWhat     = "Give Lens the zip that the chat service sent you, the folder it unpacks to, or the conversations.json in it."
	hintDownload = "Download the export again and import the new file."
)

func fail(code store.Code, message, hint string) error {
	return &store.Error{Code: code, Op: "input: open", Message: message, Hint: hint}
}

// pathError explains why a path cannot be looked at.
func pathError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &store.Error{Code: store.CodeNotFound, Op: "input: open", Message: "there is no such file or folder", Hint: "Check the path. " + hintWhat, Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &store.Error{Code: store.CodeBlocked, Op: "input: open", Message: "it may not be read", Hint: "Change its permissions or copy it to where you may read it.", Err: err}
	}
	return &store.Error{Code: store.CodeUnavailable, Op: "input: open", Message: "it cannot be read", Hint: "Check that the disk is there, then try again.", Err: err}
}

func noSpace(err error) error {
	return &store.Error{
		Code: store.CodeUnavailable, Op: "input: unpack", Message: "the zip inside the zip could not be copied to the temporary folder",
		Hint: "Make room there, or unpack the outer zip yourself and import what is in it.", Err: err,
	}
}

// spoolError tells a damaged zip, which the reader explains, from a full disk.
func spoolError(err error) error {
	var known *store.Error
	if errors.As(err, &known) {
		return err
	}
	return noSpace(err)
}

func canceled(ctx context.Context) error {
	return &store.Error{Code: store.CodeUnavailable, Op: "input: read", Message: "reading was stopped", Err: ctx.Err()}
}

// explain makes of an error of the zip reader what a person can act on.
func explain(err error) error {
	failed := &store.Error{Code: store.CodeInvalid, Op: "input: read", Hint: hintDownload, Err: err}
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		failed.Message = "the zip is packed in a way that Lens cannot read"
		failed.Hint = "Unpack it yourself and import the folder."
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF):
		failed.Message = "the zip is cut off or damaged"
	case errors.Is(err, zip.ErrChecksum), errors.As(err, &corrupt):
		failed.Message = "a file in the zip is damaged"
	default:
		return pathError(err)
	}
	return failed
}

// checkedReader is a file being read: it stops with its context, gives no more bytes than the archive promised, and explains itself.
type checkedReader struct {
	ctx  context.Context
	r    io.ReadCloser
	left int64
}

func (g *checkedReader) Read(p []byte) (int, error) {
	if g.ctx.Err() != nil {
		return 0, canceled(g.ctx)
	}
	n, err := g.r.Read(p)
	if g.left -= int64(n); g.left < 0 {
		return 0, fail(store.CodeInvalid, "a file is larger than its archive says", hintDownload)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = explain(err)
	}
	return n, err
}

func (g *checkedReader) Close() error { return g.r.Close() }
