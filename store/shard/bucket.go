package shard

import (
	"context"
	"io"
	"iter"

	"lens/internal/errs"
)

// Bucket is the location of a published index: a folder, or a prefix of a bucket in S3. Writes are atomic: an
// object is visible completely or not at all. Keys are relative paths with slashes, made of letters, digits
// and - . _ = %. All methods are safe for concurrent use and stop when ctx is over. buckettest verifies this
// contract.
//
// Errors: ErrNotFound, ErrChanged, ErrNotModified and ErrRange where a method says so, for errors.Is. All
// others carry a code, mostly unavailable (unreachable, refused, disk full), and contain no secret.
type Bucket interface {
	// Get opens an object or a part of it. The caller closes its body. Reading may fail with unavailable; the
	// bytes before that are correct. ErrNotFound, ErrRange, ErrChanged (IfMatch), ErrNotModified (IfNoneMatch).
	Get(ctx context.Context, key string, o GetOptions) (*Object, error)

	// Put replaces an object and returns its ETag. It returns ErrChanged and stores nothing if o's condition
	// does not hold. Of several concurrent Puts with the same condition, one succeeds.
	Put(ctx context.Context, key string, body *io.SectionReader, o PutOptions) (etag string, err error)

	// List yields the objects whose keys begin with prefix, by ascending key. It may or may not include
	// concurrent changes. ETags may be missing.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]

	// Delete removes an object. Deleting a missing object succeeds.
	Delete(ctx context.Context, key string) error
}

// Info describes an object.
type Info struct {
	Key  string
	Size int64  // in bytes, of the whole object
	ETag string // opaque; differs whenever the bytes differ
}

// Object is an open object.
type Object struct {
	Info
	Body io.ReadCloser // the requested part
}

// GetOptions selects a part of an object and conditions. The zero value is the whole object, unconditionally.
type GetOptions struct {
	Offset      int64
	Length      int64  // 0: to the end. A range may extend beyond the end, where it is cut
	IfMatch     string // an ETag: ErrChanged unless the object has it
	IfNoneMatch string // an ETag: ErrNotModified if the object has it
}

// PutOptions is the condition for a write. The zero value is unconditional.
type PutOptions struct {
	IfMatch  string // an ETag: only if the object has it
	IfAbsent bool   // only if there is no object
}

// Errors that a Bucket returns.
var (
	ErrNotFound error = &errs.Error{Code: errs.NotFound, Op: "shard", Message: "no such object"}
	ErrChanged  error = &errs.Error{
		Code: errs.Unavailable, Op: "shard", Message: "the object has changed", Hint: "try again",
	}
	ErrNotModified error = &errs.Error{Code: errs.Internal, Op: "shard", Message: "the object has not changed"}
	ErrRange       error = &errs.Error{
		Code: errs.Unavailable, Op: "shard", Message: "the object is shorter than requested",
	}
)

// Files provides objects as local files, which SQLite can read and the vector index can map. It is safe for
// concurrent use.
type Files interface {
	// File returns the path of a file with the bytes that o describes, after verifying their length and
	// checksum. The file remains until release is called, once. Errors: those of Bucket.Get; ErrDamaged if the
	// stored bytes differ, even after fetching them again.
	File(ctx context.Context, o Ref) (path string, release func(), err error)
}
