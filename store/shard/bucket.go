package shard

import (
	"context"
	"io"
	"iter"

	"lens/store"
)

// Bucket is where an index is published to and read from: a folder, or a prefix of a bucket in S3. An object is there whole or not at
// all, whoever looks meanwhile. Keys are paths with slashes, without a leading one, of letters, digits and the signs - . _ = %.
// All methods are safe for concurrent use and give up when ctx is over. buckettest proves what is promised here.
//
// Errors: ErrNotFound, ErrChanged, ErrSame and ErrRange where a method says so, for errors.Is; all others carry a code, mostly
// unavailable (out of reach, refused, no room), with a sentence that holds no secret.
type Bucket interface {
	// Get opens an object, or a part of it. Its body must be closed; a read of it may fail with unavailable, and what it yields before
	// that is what was stored. ErrNotFound, ErrRange, ErrChanged (IfMatch), ErrSame (IfNoneMatch).
	Get(ctx context.Context, key string, o GetOptions) (*Object, error)

	// Put stores an object in place of what is there, and returns its ETag. ErrChanged when o's condition does not hold; then nothing
	// is stored. Of several who put under one condition at the same time, one succeeds.
	Put(ctx context.Context, key string, body *io.SectionReader, o PutOptions) (etag string, err error)

	// List yields the objects whose keys begin with prefix, by ascending key. What is put or deleted meanwhile may be among them.
	// An ETag may be missing.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]

	// Delete removes an object. It is no error when there is none.
	Delete(ctx context.Context, key string) error
}

// Info is what is known of an object without reading it.
type Info struct {
	Key  string
	Size int64  // in bytes, all of it
	ETag string // another one whenever the bytes are others; opaque
}

// Object is an open object.
type Object struct {
	Info
	Body io.ReadCloser // what was asked for
}

// GetOptions says what of an object is wanted, and when. The zero value is all of it, in any case.
type GetOptions struct {
	Offset      int64
	Length      int64  // 0: to the end. A range may end behind the end: then it ends there
	IfMatch     string // an ETag: ErrChanged unless the object has it
	IfNoneMatch string // an ETag: ErrSame when the object has it
}

// PutOptions says when an object is stored. The zero value is in any case.
type PutOptions struct {
	IfMatch  string // an ETag: only in place of the object that has it
	IfAbsent bool   // only where there is none
}

// What a Bucket answers besides objects.
var (
	ErrNotFound    error = &store.Error{Code: store.CodeNotFound, Op: "shard", Message: "there is no such object"}
	ErrChanged     error = &store.Error{Code: store.CodeUnavailable, Op: "shard", Message: "the object is another one by now", Hint: "Try again."}
	ErrNotModified error = &store.Error{Code: store.CodeInternal, Op: "shard", Message: "the object is still the same"}
	ErrRange       error = &store.Error{Code: store.CodeUnavailable, Op: "shard", Message: "the object is shorter than what was asked of it"}
)

// Files keeps objects as files of this machine, where SQLite reads them and the vector index maps them. It is safe for concurrent use.
type Files interface {
	// File returns the path of a file with the bytes that o describes, whose length and checksum it has verified. The file stays as it
	// is until release is called, once. Errors: those of Bucket.Get; ErrDamaged when what is stored has other bytes, even when
	// it was fetched anew.
	File(ctx context.Context, o Ref) (path string, release func(), err error)
}
