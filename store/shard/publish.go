package shard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"lens/store"
	"lens/store/terms"
)

// The size of a shard, in bytes.
const (
	DefaultShardBytes = 64 << 20
	MinShardBytes     = 25 << 20
	MaxShardBytes     = 200 << 20
)

// PublishOptions says how an archive is published. The zero value is usable.
type PublishOptions struct {
	ShardBytes int64          // about how large a shard is, half to twice that; 0: DefaultShardBytes
	Prune      bool           // delete what Lens wrote and no longer belongs to the index. Of one who publishes there meanwhile, what he has sent goes too
	Progress   func(Progress) // hears of every shard; nil: nobody
}

// Progress says how far a publication is.
type Progress struct{ Done, Total int } // shards

// Published says what a publication did.
type PublishReport struct {
	Index      string `json:"index"` // its folder in the bucket
	Generation int64  `json:"generation"`
	Records    int    `json:"records"`
	Vectors    int    `json:"vectors"`
	Shards     int    `json:"shards"`
	Bytes      int64  `json:"bytes"`      // of all objects
	Sent       int    `json:"sent"`       // objects that were not there yet, or not as they were published
	SentBytes  int64  `json:"sent_bytes"` // likewise
	Pruned     int    `json:"pruned"`     // objects that were deleted
	Changed    bool   `json:"changed"`    // false: the index was already as it would have become
}

// Sources are what is published: pieces of documents and records. A person's chats stay at home.
var Sources = []store.Source{store.Documents, store.Chunks}

// Publish makes the documents and records of an archive an index in a bucket, in place of what was published there for the same
// model. Objects that are there already are read and not sent again, unless they are damaged, and who reads meanwhile reads the old generation or the new one, whole.
// What is published is the text of the chunks, their metadata, and the names and paths of their files.
// Errors: not_found without a chunk or a vector, invalid when the backend gives out no vectors or there is more than an index can hold, unavailable, also when somebody else published meanwhile.
func Publish(ctx context.Context, from store.Reader, to Bucket, opts PublishOptions) (*PublishReport, error) {
	p, err := newPublisher(ctx, from, to, opts)
	if err != nil {
		return nil, err
	}
	if p.work, err = os.MkdirTemp("", "lens-publish-"); err != nil {
		return nil, &store.Error{Code: store.CodeUnavailable, Op: "shard: publish", Message: "no temporary files can be made", Hint: "Make room, or set TMPDIR.", Err: err}
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
	work     string           // a folder of its own
	existing map[string]int64 // what is in the bucket: sizes by key beneath root
	last     *Manifest        // what it replaces; nil: none, or none that can be read
	etag     string           // of that; "": none
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
		return nil, &store.Error{Code: store.CodeNotFound, Op: "shard: publish", Message: "nothing has a vector yet", Hint: "Run lens embed first."}
	}
	g := generations[0]
	p.collector = collector{
		source: from, vectors: vectors, catalog: catalog, docFreqs: map[string]uint32{},
		model: Model{Provider: g.Provider, ID: g.Model, Dims: g.Dim, Recipe: g.Recipe},
	}
	p.root = p.model.Root()
	return p, p.readPublished(ctx)
}

// errNotPublished is what is said of an archive in Postgres, which gives out no vectors: it is the other way to be asked by many and from
// anywhere, and every publication would fetch all of it from its server.
var errNoVectors error = &store.Error{
	Code: store.CodeInvalid, Op: "shard: publish", Message: "only an archive in a folder is published: one in Postgres is asked where it is, by any number of servers",
	Hint: "Import the documents without --database and publish that, or let lens serve --database answer /retrieve.",
}

// look finds out what is published already.
func (p *publisher) readPublished(ctx context.Context) (err error) {
	p.last, p.etag, err = readManifest(ctx, p.bucket, p.root, "")
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrDamaged), errors.Is(err, ErrOlder): // published anew
	case err != nil:
		return err
	case p.last.Model != p.model:
		return &store.Error{
			Code: store.CodeInvalid, Op: "shard: publish", Message: "an index of the same model by another provider or recipe is published there",
			Hint: "Publish to another place.",
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
	parts := partition(groupsOf(p.catalog, p.catalog.Scope(store.Filter{Sources: Sources}, nil), p.model.Dims), p.opts.ShardBytes)
	if len(parts) == 0 {
		return &store.Error{Code: store.CodeNotFound, Op: "shard: publish", Message: "there are no documents and no records to publish", Hint: "Import a folder of documents or chunk JSONL first."}
	}
	if len(parts) > maxShards {
		return errTooLarge
	}
	p.next = &Manifest{Format: Format, Generation: 1, Model: p.model, Terms: terms.Version}
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

// shard publishes one shard, unless it is there.
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

// published returns the object that was made from the same content, as the manifest that is replaced knows it.
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

// damaged is the size of what is there and has other bytes than it should.
const damagedSize = -1

// has reports whether an object is there as it was published. Nothing but its bytes can tell: what damages them need not change their
// number, nor what a server says of them.
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

// send puts the object in the file at path into the bucket, unless it is there, and removes the file.
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

// announce puts the manifest in place of the one that was read.
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
	if len(text) > maxManifest || len(p.next.Shards) > maxShards { // nobody would read it, and what it replaces is read
		return errTooLarge
	}
	condition := PutOptions{IfMatch: p.etag, IfAbsent: p.etag == ""}
	_, err = p.bucket.Put(ctx, p.root+ManifestName, io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))), condition)
	if errors.Is(err, ErrChanged) {
		return &store.Error{Code: store.CodeUnavailable, Op: "shard: publish", Message: "somebody else published there meanwhile", Hint: "Publish again.", Err: err}
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
