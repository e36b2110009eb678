package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lens/internal/errs"
)

// maxStaleFactor times Options.Refresh is the age up to which a known manifest answers queries while a newer
// one is looked up in the background. Beyond it, and without a known manifest, queries wait: there was a
// pause, or the bucket is unreachable.
const maxStaleFactor = 6

// backgroundTimeout limits a background refresh.
const backgroundTimeout = 10 * time.Second

// manifest returns the manifest for a query.
func (x *Index) manifest(ctx context.Context) (*Manifest, error) {
	if known := x.fresh(); known != nil {
		return known, nil
	}
	return x.refresh(ctx, x.opts.Refresh)
}

// fresh returns the known manifest unless it is too old, and refreshes it in the background if needed; nil
// for none.
func (x *Index) fresh() *Manifest {
	x.mu.Lock()
	defer x.mu.Unlock()
	age := time.Since(x.checked)
	if x.latest == nil || x.opts.Refresh < 0 || age >= maxStaleFactor*x.opts.Refresh {
		return nil
	}
	if age >= x.opts.Refresh && !x.closed {
		x.refreshInBackground()
	}
	return x.latest
}

// refreshInBackground refreshes the manifest unless a refresh is running. The caller holds the lock.
func (x *Index) refreshInBackground() {
	if !x.refreshing.TryAcquire(1) {
		return
	}
	x.refreshes.Go(func() {
		defer x.refreshing.Release(1)
		ctx, cancel := context.WithTimeout(x.ctx, backgroundTimeout)
		defer cancel()
		_, _ = x.refreshLocked(ctx) // a later query retries and reports failures
	})
}

// refresh returns the manifest, at most age old.
func (x *Index) refresh(ctx context.Context, age time.Duration) (*Manifest, error) {
	if err := x.refreshing.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer x.refreshing.Release(1)
	x.mu.Lock()
	known, fresh := x.latest, x.latest != nil && time.Since(x.checked) < age
	x.mu.Unlock()
	if fresh {
		return known, nil
	}
	return x.refreshLocked(ctx)
}

// refreshLocked reads the manifest if it has changed. The caller holds refreshing.
func (x *Index) refreshLocked(ctx context.Context) (*Manifest, error) {
	x.mu.Lock()
	known, last := x.latest, x.etag
	x.mu.Unlock()
	m, etag, err := x.readCurrent(ctx, last)
	switch {
	case errors.Is(err, ErrNotModified):
		m, etag = known, last
	case errors.Is(err, ErrNotFound):
		return nil, errNoIndex
	case err != nil:
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.latest, x.etag, x.checked = m, etag, time.Now()
	return m, nil
}

// readCurrent reads the manifest, unless it still has the known ETag (ErrNotModified). If it is gone,
// readCurrent searches for another location. The caller holds refreshing.
func (x *Index) readCurrent(ctx context.Context, known string) (m *Manifest, etag string, err error) {
	if x.root != "" {
		if m, etag, err = readManifest(ctx, x.bucket, x.root, known); !errors.Is(err, ErrNotFound) {
			return m, etag, err
		}
	}
	if x.root, err = x.findRoot(ctx); err != nil {
		return nil, "", err
	}
	return readManifest(ctx, x.bucket, x.root, "")
}

// readManifest reads the manifest of an index, unless it still has the known ETag (ErrNotModified).
func readManifest(ctx context.Context, b Bucket, root, known string) (m *Manifest, etag string, err error) {
	object, err := b.Get(ctx, root+ManifestName, GetOptions{IfNoneMatch: known})
	if err != nil {
		return nil, "", err
	}
	text, err := io.ReadAll(io.LimitReader(object.Body, maxManifest+1))
	if err = errors.Join(err, object.Body.Close()); err != nil {
		return nil, "", err
	}
	if m, err = ParseManifest(text); err == nil && m.Model.Root() != root {
		err = fmt.Errorf("manifest of another model: %w", ErrDamaged)
	}
	if err != nil {
		return nil, object.ETag, err
	}
	return m, object.ETag, nil
}

// findRoot returns the folder of the selected index.
func (x *Index) findRoot(ctx context.Context) (string, error) {
	var roots []string
	for root, err := range Roots(ctx, x.bucket) {
		if err != nil {
			return "", err
		}
		roots = append(roots, root)
	}
	if len(roots) > 1 && x.opts.Model != "" {
		roots = slices.DeleteFunc(roots, func(root string) bool {
			return !strings.HasPrefix(root, "indexes/model="+escape(x.opts.Model)+"/")
		})
	}
	switch len(roots) {
	case 0:
		return "", errNoIndex
	case 1:
		return roots[0], nil
	}
	return "", x.ambiguous(len(roots))
}

// ambiguous is the error for several matching indexes. It is unavailable, not invalid: the configuration is
// at fault, not the query.
func (x *Index) ambiguous(indexes int) error {
	err := &errs.Error{
		Code: errs.Unavailable, Op: "shard: open", Message: fmt.Sprintf("%d indexes are published there", indexes),
		Hint: "set LENS_EMBEDDING_MODEL to the model of one of them",
	}
	if x.opts.Model != "" {
		err.Message = fmt.Sprintf("%d indexes of %s are published there", indexes, x.opts.Model)
		err.Hint = "publish each to its own location"
	}
	return err
}

// Roots yields the folders that contain a manifest.
func Roots(ctx context.Context, b Bucket) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		for info, err := range b.List(ctx, "indexes/") {
			root, is := strings.CutSuffix(info.Key, "/"+ManifestName)
			if (err != nil || is) && (!yield(root+"/", err) || err != nil) {
				return
			}
		}
	}
}
