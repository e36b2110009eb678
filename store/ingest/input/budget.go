package input

import (
	"io"

	"lens/internal/errs"
)

// limits bound the cost of a hostile file.
type limits struct {
	ratio int64 // a file unpacks to at most this many times its own size …
	floor int64 // … or this many bytes, whichever is more
	total int64 // never more than this many bytes
}

// defaults: chats as JSON compress to about a tenth, repetitive JSON to a hundredth, a zip bomb to a thousandth.
var defaults = limits{ratio: 200, floor: 32 << 20, total: 256 << 30}

// budget is what one file of a path may still unpack to, in bytes: all that is packed in it, at any depth.
type budget struct {
	most   int64
	spent  int64 // on what is read, and on copies to read it from
	looked int64 // on finding out what may have conversations, which has as much
}

// errBomb is the error of a file that unpacks to far too much.
var errBomb = fail(errs.TooLarge, "the file unpacks to far more than an export does: it may be a zip bomb",
	"check where it came from; if you trust it, unpack it and import the folder")

// encrypted is the general-purpose flag of an encrypted file.
const encrypted = 1

func (b *budget) left() int64 { return b.most - b.spent }

// admit takes what an entry unpacks to, and refuses one that is encrypted or too large.
func (b *budget) admit(e entry) error {
	switch {
	case e.zipped == nil:
		return nil
	case e.zipped.Flags&encrypted != 0:
		return fail(errs.Invalid, printable(e.name)+" in the zip is encrypted",
			"unpack it with its password and import the folder")
	case e.size < 0 || e.size > b.left():
		return errBomb
	}
	b.spent += e.size
	return nil
}

// looking returns open with readers that take what they read from the budget for looking.
func (b *budget) looking(open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		return &lookingReader{r, b}, nil
	}
}

type lookingReader struct {
	io.ReadCloser
	budget *budget
}

func (l *lookingReader) Read(p []byte) (int, error) {
	if l.budget.looked >= l.budget.most {
		return 0, errBomb
	}
	n, err := l.ReadCloser.Read(p)
	l.budget.looked += int64(n)
	return n, err
}
