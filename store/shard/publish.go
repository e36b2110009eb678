package shard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

// Sizes of a shard, in bytes.
const (
	DefaultShardBytes = 64 << 20
	MinShardBytes     = 25 << 20
	MaxShardBytes     = 200 << 20
)

// PublishOptions configures a publication. The zero value is usable.
type PublishOptions struct {
	ShardBytes int64 // average size of a shard; the actual one is half to twice that; 0: DefaultShardBytes

	// Prune deletes Lens' objects that no longer belong to the index, including those of a concurrent publication.
	Prune bool

	Progress func(Progress) // called for every shard; may be nil
}

// Progress counts the shards of a publication.
type Progress struct{ Done, Total int }

// PublishReport describes a publication.
type PublishReport struct {
	Index      string `json:"index"` // its folder in the bucket
	Generation int64  `json:"generation"`
	Records    int    `json:"records"`
	Vectors    int    `json:"vectors"`
	Shards     int    `json:"shards"`
	Bytes      int64  `json:"bytes"` // of all objects
	Sent       int    `json:"sent"`  // objects that were missing or damaged
	SentBytes  int64  `json:"sent_bytes"`
	Pruned     int    `json:"pruned"`  // deleted objects
	Changed    bool   `json:"changed"` // false: the index was already up to date
}

// Sources are published: pieces of documents and records. Chats never leave the archive.
var Sources = []store.Source{store.Documents, store.Chunks}

// Publish publishes the documents and records of an archive as an index in a bucket, replacing the previous
// index of the same model. Existing objects are read, and sent again only if damaged. Concurrent readers see
// the old or the new generation, complete. The index contains the text of the chunks, their metadata, and the
// names and paths of their files.
//
// Errors: not_found without a chunk or a vector; invalid if the backend does not provide vectors or the
// archive is too large; unavailable, also after a concurrent publication.
func Publish(ctx context.Context, from store.Reader, to Bucket, opts PublishOptions) (*PublishReport, error) {
	p, err := newPublisher(ctx, from, to, opts)
	if err != nil {
		return nil, err
	}
	if p.work, err = os.MkdirTemp("", "lens-publish-"); err != nil {
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "shard: publish", Message: "cannot create temporary files",
			Hint: "free some disk space, or set TMPDIR", Err: err,
		}
	}
	defer os.RemoveAll(p.work)
	if err := p.publish(ctx); err != nil {
		return nil, err
	}
	return &p.report, nil
}

// publisher is one publication.
type publisher struct {
	collector
	bucket   Bucket
	opts     PublishOptions
	root     string
	work     string           // a temporary folder
	existing map[string]int64 // sizes of the objects in the bucket, by key relative to root
	last     *Manifest        // the manifest to replace; nil: none, or none that is readable
	etag     string           // of last; empty: none
	next     *Manifest
	report   PublishReport
}

func newPublisher(ctx context.Context, from store.Reader, to Bucket, opts PublishOptions) (*publisher, error) {
	if opts.ShardBytes <= 0 {
		opts.ShardBytes = DefaultShardBytes
	}
	p := &publisher{bucket: to, opts: opts, existing: map[string]int64{}}
	vectors, ok := from.(store.VectorReader)
	if !ok {
		return nil, errNoVectors
	}
	catalog, err := from.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	generations, err := from.Generations(ctx)
	if err != nil {
		return nil, err
	}
	if len(generations) == 0 || !generations[0].Active || generations[0].Vectors == 0 {
		return nil, &errs.Error{
			Code: errs.NotFound, Op: "shard: publish", Message: "an index needs vectors, and nothing is embedded yet",
			Hint: "run lens embed; without a model, run lens serve, which answers /retrieve by keywords from the archive",
		}
	}
	g := generations[0]
	p.collector = collector{
		source: from, vectors: vectors, catalog: catalog, docFreqs: map[string]uint32{},
		model: modelOf(g),
	}
	p.root = p.model.Root()
	return p, p.readPublished(ctx)
}

// errNoVectors is the error for an archive in Postgres, which does not provide its vectors: it already serves
// many clients from anywhere, and every publication would fetch all of it.
var errNoVectors error = &errs.Error{
	Code: errs.Invalid, Op: "shard: publish", Message: "an archive in Postgres cannot be published",
	Hint: "import the documents without --database and publish that archive, or run lens serve --database for /retrieve",
}

// readPublished reads the current manifest and lists the existing objects.
func (p *publisher) readPublished(ctx context.Context) (err error) {
	p.last, p.etag, err = readManifest(ctx, p.bucket, p.root, "")
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrDamaged), errors.Is(err, ErrOlder): // is replaced
	case err != nil:
		return err
	case p.last.Model != p.model:
		return &errs.Error{
			Code: errs.Invalid, Op: "shard: publish",
			Message: "an index of the same model from another provider or recipe is published there",
			Hint:    "publish to another location",
		}
	}
	for info, err := range p.bucket.List(ctx, p.root) {
		if err != nil {
			return err
		}
		p.existing[strings.TrimPrefix(info.Key, p.root)] = info.Size
	}
	return nil
}

func (p *publisher) publish(ctx context.Context) error {
	scope := p.catalog.Scope(store.Filter{Sources: Sources}, nil)
	parts := partition(groupsOf(p.catalog, scope, p.model.Dims), p.opts.ShardBytes)
	if len(parts) == 0 {
		return &errs.Error{
			Code: errs.NotFound, Op: "shard: publish", Message: "no documents or records to publish",
			Hint: "import a folder of documents or chunk JSONL first",
		}
	}
	if len(parts) > maxShards {
		return errTooLarge
	}
	p.next = &Manifest{Format: p.model.format(), Generation: 1, Model: p.model, Terms: terms.Version}
	for i, groups := range parts {
		if p.opts.Progress != nil {
			p.opts.Progress(Progress{i, len(parts)})
		}
		if err := p.publishShard(ctx, groups); err != nil {
			return err
		}
	}
	path, ref, err := p.statistics().pack(ctx, p.work, "statistics")
	if err == nil {
		err = p.send(ctx, path, ref)
	}
	if err != nil {
		return err
	}
	p.next.Statistics, p.next.Records, p.next.Length = ref, p.records, p.length
	if err := p.putManifest(ctx); err != nil {
		return err
	}
	p.fillReport()
	if p.opts.Prune {
		return p.prune(ctx)
	}
	return nil
}

// publishShard publishes one shard, unless it exists.
func (p *publisher) publishShard(ctx context.Context, groups []*group) error {
	c, part, err := p.collect(ctx, groups)
	if err != nil {
		return err
	}
	if ref, ok := p.publishedRef(part.Content); ok {
		there, err := p.isIntact(ctx, ref)
		if err != nil {
			return err
		}
		if there {
			part.Ref = ref
			p.next.Shards = append(p.next.Shards, part)
			return nil
		}
	}
	path, ref, err := c.pack(ctx, p.work, "shard")
	if err != nil {
		return err
	}
	part.Ref = ref
	p.next.Shards = append(p.next.Shards, part)
	return p.send(ctx, path, ref)
}

// publishedRef returns the object with the same content in the previous manifest.
func (p *publisher) publishedRef(content string) (ref Ref, ok bool) {
	if p.last == nil {
		return ref, false
	}
	i := slices.IndexFunc(p.last.Shards, func(known Part) bool { return known.Content == content })
	if i < 0 {
		return ref, false
	}
	return p.last.Shards[i].Ref, true
}

// damagedSize marks an existing object with wrong bytes.
const damagedSize = -1

// isIntact reports whether an object exists with the right bytes. It reads them, because damage need not
// change the size or what a server reports.
func (p *publisher) isIntact(ctx context.Context, ref Ref) (bool, error) {
	if p.existing[ref.Key] != ref.Size {
		return false, nil
	}
	_, err := checkObject(ctx, p.bucket, p.root, ref)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotFound) {
		p.existing[ref.Key] = damagedSize
		return false, nil
	}
	return err == nil, err
}

// send uploads the file at path unless the object is intact, and removes the file.
func (p *publisher) send(ctx context.Context, path string, ref Ref) (err error) {
	defer os.Remove(path)
	if there, err := p.isIntact(ctx, ref); err != nil || there {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := p.bucket.Put(ctx, p.root+ref.Key, io.NewSectionReader(f, 0, ref.Size), PutOptions{}); err != nil {
		return err
	}
	p.existing[ref.Key] = ref.Size
	p.report.Sent++
	p.report.SentBytes += ref.Size
	return nil
}

// putManifest replaces the manifest that was read.
func (p *publisher) putManifest(ctx context.Context) error {
	if p.last != nil {
		p.next.Generation = p.last.Generation
		same, _ := p.last.Encode()
		if now, err := p.next.Encode(); err != nil || bytes.Equal(now, same) {
			return err
		}
		p.next.Generation++
	}
	text, err := p.next.Encode()
	if err != nil {
		return err
	}
	if len(text) > maxManifest || len(p.next.Shards) > maxShards { // unreadable; keep the previous one
		return errTooLarge
	}
	condition := PutOptions{IfMatch: p.etag, IfAbsent: p.etag == ""}
	body := io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text)))
	_, err = p.bucket.Put(ctx, p.root+ManifestName, body, condition)
	if errors.Is(err, ErrChanged) {
		return &errs.Error{
			Code: errs.Unavailable, Op: "shard: publish", Message: "another process published there at the same time",
			Hint: "publish again", Err: err,
		}
	}
	p.report.Changed = true
	return err
}

func (p *publisher) fillReport() {
	d, m := &p.report, p.next
	d.Index, d.Generation, d.Records, d.Shards, d.Bytes = p.root, m.Generation, m.Records, len(m.Shards), m.Statistics.Size
	for i := range m.Shards {
		d.Vectors += m.Shards[i].Vectors
		d.Bytes += m.Shards[i].Size
	}
}
