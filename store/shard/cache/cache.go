// Package cache keeps published objects as files in a folder of this machine, in front of any bucket.
//
// The rules are:
//
//   - A file is named by the checksum of its bytes and appears whole: it is written beside and renamed.
//   - Bytes are believed once they were hashed: as they are fetched, and when a process first uses a file that an earlier one left. While the
//     process lives, a file of the same length and time of change is the same file, so that asking for it again costs a look at the disk.
//     Nothing about that is kept on disk, where it could be as wrong as the file: hashing also brings into memory what is about to be read.
//   - A file that is not what it should be is fetched again.
//   - Whoever asks for an object while it is being fetched waits for it.
//   - An object is fetched in parts, several at a time, straight to the disk: memory does not depend on its size.
//   - When all files together are larger than the limit, those go that were not used for longest. What is in use stays.
//
// Processes may share a folder: each keeps to the limit by its own count, and fetches again what another has deleted.
package cache

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"lens/store"
	"lens/store/shard"
)

// Options says how much is kept and how it is fetched. The zero value is usable.
type Options struct {
	Limit    int64 // bytes of all files; 0: 4 GiB
	PartSize int64 // bytes that are fetched by one request; 0: 8 MiB
	Parts    int   // requests at a time for one object; 0: 8
}

// Cache is a folder of files. It is safe for concurrent use.
type Cache struct {
	dir    string
	bucket shard.Bucket
	opts   Options
	writer func(*os.File) io.WriterAt // what fetched bytes are written with

	mu      sync.Mutex
	entries map[string]*entry // by checksum
	total   int64             // bytes of all entries
	uses    int64             // counts them
}

var _ shard.Files = (*Cache)(nil)

// entry is a file, or what is known of an object that has none.
type entry struct {
	path  string
	token chan struct{} // holds one token: who takes it may look after the file

	verified time.Time // when the file had last changed when it was hashed; zero: it was not. Of who has the token
	size     int64     // bytes that it has, or will have when it is fetched; these fields are the cache's, under its lock
	users    int
	lastUse  int64 // the latest of the cache's uses
}

// draftSign begins the name of a file that is being written.
const tempPrefix = "~"

// fileName is the name of one that is not: a SHA-256 in lower-case hex.
var fileName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// New returns a cache in the folder dir, which is made if need be, of what is in bucket. Files of other names are left alone.
// Errors: unavailable.
func New(dir string, bucket shard.Bucket, opts Options) (*Cache, error) {
	opts.Limit = cmp.Or(opts.Limit, 4<<30)
	opts.PartSize = cmp.Or(opts.PartSize, 8<<20)
	opts.Parts = cmp.Or(opts.Parts, 8)
	c := &Cache{dir: dir, bucket: bucket, opts: opts, entries: map[string]*entry{}, writer: func(f *os.File) io.WriterAt { return f }}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, c.diskUnusable(err)
	}
	if err := c.scan(time.Now()); err != nil {
		return nil, c.diskUnusable(err)
	}
	return c, nil
}

// abandoned is how old a draft is that nobody writes to any more.
const tempFileMaxAge = 24 * time.Hour

// scan takes over what an earlier process left. What changed first counts as used first.
func (c *Cache) scan(now time.Time) error {
	found, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	files := make([]os.FileInfo, 0, len(found))
	for _, e := range found {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular(): // deleted meanwhile, or nothing of ours
		case fileName.MatchString(info.Name()):
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

// entry returns the one of a checksum, as used now. The caller holds the lock.
func (c *Cache) entry(sum string) *entry {
	e := c.entries[sum]
	if e == nil {
		e = &entry{path: filepath.Join(c.dir, sum), token: make(chan struct{}, 1)}
		e.token <- struct{}{}
		c.entries[sum] = e
	}
	c.uses++
	e.lastUse = c.uses
	return e
}

// File implements shard.Files.
func (c *Cache) File(ctx context.Context, o shard.Ref) (path string, release func(), err error) {
	if !fileName.MatchString(o.SHA256) {
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

// provide sees to it that the file of e has the bytes of o. One does at a time; the others find it done.
func (c *Cache) ensure(ctx context.Context, e *entry, o shard.Ref) error {
	select {
	case <-e.token:
		defer func() { e.token <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := os.Stat(e.path)
	if err == nil && info.Size() == o.Size && !e.verified.IsZero() && info.ModTime().Equal(e.verified) {
		return nil
	}
	if err == nil && shard.VerifyFile(e.path, o) == nil {
		c.resize(e, o.Size)
		e.verified = info.ModTime()
		return nil
	}
	_ = os.Remove(e.path) // where that fails, it is replaced
	e.verified = time.Time{}
	return c.refill(ctx, e, o)
}

// refill fetches the file of e. It asks for room before, and when the disk has none nevertheless, once more with all that is idle gone.
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

// resize notes how large the file of e is, or is about to be, and makes room for it.
func (c *Cache) resize(e *entry, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += size - e.size
	e.size = size
	c.trim(c.opts.Limit)
}

// clear deletes all that is idle. It says whether there was any.
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
	if e.users == 0 && e.size == 0 { // nothing worth remembering
		delete(c.entries, filepath.Base(e.path))
	}
	c.trim(c.opts.Limit)
}

// trim deletes what is idle, that which was used longest ago first, until all files are no larger than limit. The caller holds the lock.
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
			continue // another process has it open, where that hinders
		}
		c.total -= e.size
		delete(c.entries, sum)
	}
}

func (c *Cache) diskUnusable(err error) error {
	return &store.Error{
		Code: store.CodeUnavailable, Op: "cache", Message: "the folder " + c.dir + " cannot keep what is fetched",
		Hint: "Make room on its disk, look at its permissions, or name another folder for the cache.", Err: err,
	}
}
