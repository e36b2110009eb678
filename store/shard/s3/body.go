package s3

import (
	"context"
	"io"

	"lens/internal/retry"
	"lens/store/shard"
)

// body reads the rest of an object. After an interruption it resumes where it stopped, if the object is
// unchanged.
type body struct {
	ctx    context.Context // of the call that opened it
	bucket *Bucket
	info   shard.Info
	from   io.ReadCloser // nil: to be reopened
	offset int64         // of the next byte
	left   int64
	empty  retry.Attempts // since the last byte
	err    error
}

// Read implements io.Reader.
func (r *body) Read(p []byte) (int, error) {
	if r.err != nil || len(p) == 0 {
		return 0, r.err
	}
	p = p[:min(int64(len(p)), r.left)]
	for r.left > 0 {
		if r.err = r.open(); r.err != nil {
			return 0, r.err
		}
		n, err := r.from.Read(p)
		r.offset += int64(n)
		r.left -= int64(n)
		if err != nil {
			_ = r.from.Close()
			r.from = nil
		}
		if n > 0 {
			r.empty = r.bucket.attempts()
			return n, nil
		}
		if err != nil && r.left > 0 {
			r.err = r.waitToRetry(err)
		}
		if r.err != nil {
			return 0, r.err
		}
	}
	return 0, io.EOF
}

// waitToRetry waits before another attempt, or returns the final error.
func (r *body) waitToRetry(broke error) error {
	if broke == io.EOF {
		broke = io.ErrUnexpectedEOF
	}
	if r.info.ETag == "" || !r.empty.Again(r.ctx, true, 0) {
		return r.bucket.wrap(r.ctx, "read", broke)
	}
	return nil
}

// open requests the rest, unless a response is being read.
func (r *body) open() error {
	if r.from != nil {
		return nil
	}
	o := shard.GetOptions{Offset: r.offset, Length: r.left, IfMatch: r.info.ETag}
	out, err := r.bucket.get(r.ctx, r.info.Key, o)
	if err != nil {
		return err
	}
	r.from = out.Body
	size, length, err := contentRange(out, o)
	if err == nil && (size != r.info.Size || length != r.left) {
		err = badResponse("the object changed but kept its ETag")
	}
	return err
}

// Close implements io.Closer.
func (r *body) Close() error {
	r.err = io.ErrClosedPipe
	if r.from == nil {
		return nil
	}
	err := r.from.Close()
	r.from = nil
	return r.bucket.wrap(r.ctx, "read", err)
}
