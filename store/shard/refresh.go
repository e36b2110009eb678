package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lens/store"
)

// Beside a query that is answered from what is known another manifest is looked for, until what is known is so many times as old as it may
// be. Then, and where nothing is known, the query waits: it asks after a pause, or the bucket is out of reach.
const maxStaleFactor = 6

// lookTime bounds what nobody waits for.
const backgroundTimeout = 10 * time.Second

// manifest returns the manifest by which a query is to be answered.
func (x *Index) manifest(ctx context.Context) (*Manifest, error) {
	if known := x.fresh(); known != nil {
		return known, nil
	}
	return x.refresh(ctx, x.opts.Refresh)
}

// known returns the manifest by which a query can be answered at once, and sees to it that the next ones are answered by the present one; nil for none.
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

// lookBeside looks for another manifest, unless somebody does. The caller holds the lock.
func (x *Index) refreshInBackground() {
	select {
	case <-x.refreshToken:
	default:
		return
	}
	x.refreshes.Go(func() {
		defer func() { x.refreshToken <- struct{}{} }()
		ctx, cancel := context.WithTimeout(x.ctx, backgroundTimeout)
		defer cancel()
		_, _ = x.refreshLocked(ctx) // what fails is tried again, by a query that waits for it in the end
	})
}

// renew returns the manifest as it was no longer ago than age.
func (x *Index) refresh(ctx context.Context, age time.Duration) (*Manifest, error) {
	select {
	case <-x.refreshToken:
		defer func() { x.refreshToken <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	x.mu.Lock()
	known, fresh := x.latest, x.latest != nil && time.Since(x.checked) < age
	x.mu.Unlock()
	if fresh {
		return known, nil
	}
	return x.refreshLocked(ctx)
}

// look reads the manifest, if it is another one than is known. The caller has the token.
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

// present reads the manifest of the index that is meant, unless it is the one known by its etag (ErrSame). Where it was there may be none any
// more, and another elsewhere. The caller has the token.
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

// readManifest reads the manifest of an index, unless it is the one known by its etag (ErrSame).
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

// find returns the folder of the index that is meant.
func (x *Index) findRoot(ctx context.Context) (string, error) {
	if x.opts.Model != "" && x.opts.Dims != 0 {
		return Model{ID: x.opts.Model, Dims: x.opts.Dims}.Root(), nil
	}
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

// ambiguous says that it is not known which of so many indexes is meant: no mistake of who asks, but of how this program was set up.
func (x *Index) ambiguous(indexes int) error {
	err := &store.Error{
		Code: store.CodeUnavailable, Op: "shard: open", Message: fmt.Sprintf("there are %d indexes there", indexes),
		Hint: "Set LENS_EMBEDDING_MODEL to the model of the one that is meant.",
	}
	if x.opts.Model != "" {
		err.Message, err.Hint = fmt.Sprintf("there are %d indexes of %s there", indexes, x.opts.Model), "Publish each at a place of its own."
	}
	return err
}

// Roots yields the folders in which a manifest lies.
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
