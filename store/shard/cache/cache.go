// Package cache keeps published objects as files in a local folder, in front of any bucket.
//
// The rules are:
//
//   - A file is named for the checksum of its bytes and appears complete: it is written under a temporary
//     name and renamed.
//   - Bytes are used only after they were hashed: when fetched, and when a process first uses a file from an
//     earlier one. While the process lives, a file with the same length and modification time counts as
//     unchanged, so requesting it again costs one stat. This knowledge is not stored on disk, where it could
//     be as wrong as the file; hashing also loads into memory what is about to be read.
//   - A damaged file is fetched again.
//   - Concurrent requests for an object share one fetch.
//   - An object is fetched in several parts at a time, directly to disk: memory does not depend on its size.
//   - When the files exceed the limit, the least recently used ones are deleted. Files in use remain.
//
// Processes may share a folder. Each enforces the limit by its own count, and fetches again what another has
// deleted.
package cache

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store/shard"
)

// Options limits the cache and its fetches. The zero value is usable.
type Options struct {
	Limit    int64 // total bytes; 0: 4 GiB
	PartSize int64 // bytes per request; 0: 8 MiB
	Parts    int   // concurrent requests per object; 0: 8
}

// Cache is a folder of files. It is safe for concurrent use.
type Cache struct {
	dir    string
	bucket shard.Bucket
	opts   Options
	writer func(*os.File) io.WriterAt // wraps the file that fetched bytes are written to

	mu      sync.Mutex
	entries map[string]*entry // by checksum
	total   int64             // bytes of all entries
	uses    int64             // counts uses, to order them
}

var _ shard.Files = (*Cache)(nil)

// entry describes a file, or an object that has none yet.
type entry struct {
	path string
	busy *semaphore.Weighted // of 1: its holder may check or replace the file

	verified time.Time // modification time of the file when it was hashed; zero: not hashed. Guarded by busy
	size     int64     // of the file, or of the one being fetched; this and the fields below are guarded by Cache.mu
	users    int
	lastUse  int64 // value of Cache.uses at the latest use
}

// tempPrefix begins the name of a file being written.
const tempPrefix = "~"

// fileName matches a complete file: a SHA-256 in lower-case hex.
var fileName = lazyregexp.New(`^[0-9a-f]{64}$`)

// New returns a cache of bucket in the folder dir, which it creates if necessary. It leaves files with other
// names alone. Errors: unavailable.
func New(dir string, bucket shard.Bucket, opts Options) (*Cache, error) {
	opts.Limit = cmp.Or(opts.Limit, 4<<30)
	opts.PartSize = cmp.Or(opts.PartSize, 8<<20)
	opts.Parts = cmp.Or(opts.Parts, 8)
	c := &Cache{
		dir: dir, bucket: bucket, opts: opts, entries: map[string]*entry{},
		writer: func(f *os.File) io.WriterAt { return f },
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, c.diskUnusable(err)
	}
	if err := c.scan(time.Now()); err != nil {
		return nil, c.diskUnusable(err)
	}
	return c, nil
}

// tempFileMaxAge is the age at which a temporary file counts as abandoned.
const tempFileMaxAge = 24 * time.Hour

// scan adopts the files of an earlier process. The oldest file counts as the least recently used.
func (c *Cache) scan(now time.Time) error {
	found, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	files := make([]os.FileInfo, 0, len(found))
	for _, e := range found {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular(): // deleted in the meantime, or not ours
		case fileName().MatchString(info.Name()):
			files = append(files, info)
		case strings.HasPrefix(info.Name(), tempPrefix) && now.Sub(info.ModTime()) > tempFileMaxAge:
			_ = os.Remove(filepath.Join(c.dir, info.Name()))
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, info := range files {
		e := c.entry(info.Name())
		e.size = info.Size()
		c.total += e.size
	}
	c.trim(c.opts.Limit)
	return nil
}

// entry returns the entry of a checksum and marks it as used. The caller holds the lock.
func (c *Cache) entry(sum string) *entry {
	e := c.entries[sum]
	if e == nil {
		e = &entry{path: filepath.Join(c.dir, sum), busy: semaphore.NewWeighted(1)}
		c.entries[sum] = e
	}
	c.uses++
	e.lastUse = c.uses
	return e
}

// File implements shard.Files.
func (c *Cache) File(ctx context.Context, o shard.Ref) (path string, release func(), err error) {
	if !fileName().MatchString(o.SHA256) {
		return "", nil, fmt.Errorf("cache: %s: %w", o.Key, shard.ErrDamaged)
	}
	c.mu.Lock()
	e := c.entry(o.SHA256)
	e.users++
	c.mu.Unlock()
	release = sync.OnceFunc(func() { c.release(e) })
	if err := c.ensure(ctx, e, o); err != nil {
		release()
		return "", nil, err
	}
	return e.path, release, nil
}

// ensure makes sure that the file of e has the bytes of o. Concurrent callers wait for the first.
func (c *Cache) ensure(ctx context.Context, e *entry, o shard.Ref) error {
	if err := e.busy.Acquire(ctx, 1); err != nil {
		return err
	}
	defer e.busy.Release(1)
	info, err := os.Stat(e.path)
	if err == nil && info.Size() == o.Size && !e.verified.IsZero() && info.ModTime().Equal(e.verified) {
		return nil
	}
	if err == nil && shard.VerifyFile(e.path, o) == nil {
		c.resize(e, o.Size)
		e.verified = info.ModTime()
		return nil
	}
	_ = os.Remove(e.path) // if this fails, the rename replaces it
	e.verified = time.Time{}
	return c.refill(ctx, e, o)
}

// refill fetches the file of e. It makes room first; if the disk is full nevertheless, it deletes all idle
// files and tries again.
func (c *Cache) refill(ctx context.Context, e *entry, o shard.Ref) (err error) {
	defer func() {
		if err != nil {
			c.resize(e, 0)
		}
	}()
	c.resize(e, o.Size)
	err = c.fetch(ctx, e, o)
	var disk diskError
	if errors.As(err, &disk) && c.deleteIdle() {
		err = c.fetch(ctx, e, o)
	}
	if errors.As(err, &disk) {
		return c.diskUnusable(disk.error)
	}
	return err
}

// resize records the size of e's file, current or expected, and makes room for it.
func (c *Cache) resize(e *entry, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += size - e.size
	e.size = size
	c.trim(c.opts.Limit)
}

// deleteIdle deletes all idle files. It reports whether there were any.
func (c *Cache) deleteIdle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.total
	c.trim(0)
	return c.total < before
}

func (c *Cache) release(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.users--
	if e.users == 0 && e.size == 0 { // no file
		delete(c.entries, filepath.Base(e.path))
	}
	c.trim(c.opts.Limit)
}

// trim deletes idle files, least recently used first, until the total is within limit. The caller holds the
// lock.
func (c *Cache) trim(limit int64) {
	if c.total <= limit {
		return
	}
	var idle []string
	for sum, e := range c.entries {
		if e.users == 0 && e.size > 0 {
			idle = append(idle, sum)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return cmp.Compare(c.entries[a].lastUse, c.entries[b].lastUse) })
	for _, sum := range idle {
		if c.total <= limit {
			return
		}
		e := c.entries[sum]
		if err := os.Remove(e.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			continue // on Windows, another process has it open
		}
		c.total -= e.size
		delete(c.entries, sum)
	}
}

func (c *Cache) diskUnusable(err error) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "cache", Message: "cannot write to the cache folder " + c.dir,
		Hint: "free some disk space, check its permissions, or choose another folder", Err: err,
	}
}
