package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"lens/store/shard"
)

// diskError is an error of the disk, as opposed to the bucket.
type diskError struct{ error }

func (e diskError) Unwrap() error { return e.error }

// fetch replaces the file of e by the bytes of o, after verifying them. If the object is replaced during the
// fetch, it tries once more.
func (c *Cache) fetch(ctx context.Context, e *entry, o shard.Ref) (err error) {
	f, err := os.CreateTemp(c.dir, tempPrefix)
	if err != nil {
		return diskError{err}
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	err = c.download(ctx, f, o)
	if errors.Is(err, shard.ErrChanged) {
		err = c.download(ctx, f, o)
	}
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return diskError{err}
	}
	if err := shard.VerifyFile(f.Name(), o); errors.Is(err, shard.ErrDamaged) {
		return err
	} else if err != nil {
		return diskError{err}
	}
	return e.adopt(f.Name())
}

// adopt makes the verified file at path the file of e.
func (e *entry) adopt(path string) error {
	info, err := os.Stat(path)
	if err == nil {
		err = os.Rename(path, e.path)
	}
	if err != nil {
		return diskError{err}
	}
	e.verified = info.ModTime()
	return nil
}

// download writes the bytes of o to f. Errors: ErrDamaged for a different length, ErrChanged, diskError,
// those of the bucket.
func (c *Cache) download(ctx context.Context, f *os.File, o shard.Ref) error {
	first, err := c.bucket.Get(ctx, o.Key, shard.GetOptions{Length: c.opts.PartSize})
	if err != nil {
		return err
	}
	if first.Size != o.Size {
		return errors.Join(fmt.Errorf("cache: %s: %w", o.Key, shard.ErrDamaged), first.Body.Close())
	}
	parts, ctx := errgroup.WithContext(ctx)
	parts.SetLimit(c.opts.Parts)
	parts.Go(func() error { return c.write(f, 0, first) })
	for offset := c.opts.PartSize; offset < o.Size; offset += c.opts.PartSize {
		parts.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			options := shard.GetOptions{Offset: offset, Length: c.opts.PartSize, IfMatch: first.ETag}
			part, err := c.bucket.Get(ctx, o.Key, options)
			if err != nil {
				return err
			}
			return c.write(f, offset, part)
		})
	}
	return parts.Wait()
}

// write writes a part of an object at its offset in f.
func (c *Cache) write(f *os.File, offset int64, part *shard.Object) error {
	to := io.NewOffsetWriter(diskWriter{c.writer(f)}, offset)
	_, err := io.Copy(to, io.LimitReader(part.Body, c.opts.PartSize))
	return errors.Join(err, part.Body.Close())
}

// diskWriter distinguishes errors of the disk from those of the network.
type diskWriter struct{ io.WriterAt }

func (w diskWriter) WriteAt(p []byte, at int64) (int, error) {
	n, err := w.WriterAt.WriteAt(p, at)
	if err != nil {
		err = diskError{err}
	}
	return n, err
}
