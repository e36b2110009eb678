package shard

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

// Format is the version of everything that is published: manifest, objects, and their names.
const Format = 1

// formatPrefixes is the version of a manifest whose model has prefixes. Readers of an earlier Lens refuse it, because
// they would embed queries without theirs.
const formatPrefixes = 2

// Manifest lists the objects of an index. It is the only object that is ever replaced; all others never
// change.
type Manifest struct {
	Format     int    `json:"format"`
	Generation int64  `json:"generation"` // increased by every publication
	Model      Model  `json:"model"`
	Terms      int    `json:"terms"`   // store/terms' Version; queries must be split by the same rules
	Records    int    `json:"records"` // in all shards
	Length     int64  `json:"length"`  // index terms in all texts; BM25's average length is Length / Records
	Statistics Ref    `json:"statistics"`
	Shards     []Part `json:"shards"` // in the order of their contents
}

// Model produced the vectors. Queries must be embedded with the same one.
type Model struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
	Dims     int    `json:"dims"`
	Recipe   int    `json:"recipe"` // store.Recipe

	QueryPrefix    string `json:"query_prefix,omitempty"`
	DocumentPrefix string `json:"document_prefix,omitempty"`
}

// modelOf returns the model that made a generation.
func modelOf(g store.Generation) Model {
	return Model{
		Provider: g.Provider, ID: g.Model, Dims: g.Dim, Recipe: g.Recipe,
		QueryPrefix: g.Prefixes.Query, DocumentPrefix: g.Prefixes.Document,
	}
}

// format returns the version of a manifest of m.
func (m Model) format() int {
	if m.QueryPrefix != "" || m.DocumentPrefix != "" {
		return formatPrefixes
	}
	return Format
}

// Ref identifies an object and its bytes.
type Ref struct {
	Key    string `json:"key"` // relative to the manifest's folder
	Size   int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of all its bytes, in lower-case hex
}

// Part describes a shard: enough to decide whether it may match a query.
type Part struct {
	Ref
	Content string `json:"content"` // hash of the shard's contents; equal contents make equal bytes
	Records int    `json:"records"`
	Vectors int    `json:"vectors"`
	First   int64  `json:"first"`   // UTC microseconds of the earliest dated record
	Last    int64  `json:"last"`    // of the latest; less than First if none is dated
	Undated int    `json:"undated"` // records without a time
	Facts   Facts  `json:"facts"`
}

// Limits of a manifest: far more than any real index, far less than would exhaust a machine.
const (
	maxManifest = 64 << 20
	maxShards   = 100_000
	maxObject   = 1 << 40
)

// Root returns the folder of a model's index, which contains its manifest and all its objects.
func (m Model) Root() string {
	return "indexes/model=" + escape(m.ID) + "/dims=" + strconv.Itoa(m.Dims) + "/"
}

// escape percent-encodes every byte but letters, digits and - . _, for any bucket and file system.
func escape(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("-._", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// ManifestName is the manifest's key in its folder.
const ManifestName = "manifest.json"

// Encode returns the stored form of the manifest.
func (m *Manifest) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// ParseManifest parses and validates a manifest. Errors: ErrDamaged, ErrNewer, ErrOlder.
func ParseManifest(text []byte) (*Manifest, error) {
	var head struct {
		Format int   `json:"format"`
		Model  Model `json:"model"`
	}
	if len(text) > maxManifest || json.Unmarshal(text, &head) != nil {
		return nil, fmt.Errorf("manifest: %w", ErrDamaged)
	}
	if head.Format > head.Model.format() {
		return nil, fmt.Errorf("manifest: format %d: %w", head.Format, ErrNewer)
	}
	m := new(Manifest)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(m); err != nil {
		return nil, fmt.Errorf("manifest: %w", ErrDamaged) // the decoder's error could quote the manifest
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("manifest: %s: %w", err, ErrDamaged)
	}
	switch {
	case m.Terms > terms.Version:
		return nil, fmt.Errorf("manifest: terms %d: %w", m.Terms, ErrNewer)
	case m.Terms < terms.Version:
		return nil, fmt.Errorf("manifest: terms %d: %w", m.Terms, ErrOlder)
	}
	return m, nil
}

func (m *Manifest) check() error {
	switch {
	case m.Format != m.Model.format():
		return fmt.Errorf("format %d", m.Format)
	case m.Generation < 1 || m.Terms < 0:
		return fmt.Errorf("generation %d", m.Generation)
	case m.Model.ID == "" || m.Model.Dims < 1 || m.Model.Dims > 1<<16 || m.Model.Recipe < 1:
		return fmt.Errorf("model")
	case len(m.Shards) > maxShards || m.Records < 0 || m.Length < 0:
		return fmt.Errorf("counts")
	}
	records, seen := 0, map[string]bool{}
	refs := []Ref{m.Statistics}
	for i := range m.Shards {
		p := &m.Shards[i]
		if p.Records < 1 || p.Records > maxRecords ||
			p.Vectors < 0 || p.Vectors > p.Records || p.Undated < 0 || p.Undated > p.Records {
			return fmt.Errorf("shard %d: counts", i)
		}
		if p.Undated < p.Records && p.First > p.Last {
			return fmt.Errorf("shard %d: times", i)
		}
		if !p.Facts.isSorted() {
			return fmt.Errorf("shard %d: facts", i)
		}
		records += p.Records
		refs = append(refs, p.Ref)
	}
	if records != m.Records {
		return fmt.Errorf("%d records in shards, %d in all", records, m.Records)
	}
	for _, r := range refs {
		if !r.isValid() || seen[r.Key] {
			return fmt.Errorf("object")
		}
		seen[r.Key] = true
	}
	return nil
}

// maxRecords limits the records of a shard.
const maxRecords = 1 << 28

// isValid reports whether r can be an object of an index: in the manifest's folder, with its checksum in its
// name.
func (r Ref) isValid() bool {
	sum, err := hex.DecodeString(r.SHA256)
	return err == nil && len(sum) == 32 && r.SHA256 == strings.ToLower(r.SHA256) && r.Size > 0 && r.Size < maxObject &&
		!strings.ContainsAny(r.Key, "/\\") && len(r.Key) < 256 && strings.Contains(r.Key, r.SHA256[:nameDigits])
}

// nameDigits is the length of the checksum prefix in an object's name.
const nameDigits = 16

// Errors of an index, in addition to those of a Bucket.
var (
	ErrDamaged error = &errs.Error{
		Code: errs.Unavailable, Op: "shard", Message: "the published index is damaged",
		Hint: "run lens shard verify, then publish the index again",
	}
	errTooLarge error = &errs.Error{
		Code: errs.Invalid, Op: "shard: publish",
		Message: "the archive is too large for one index; the published index is unchanged",
		Hint:    "increase --shard-size, or publish parts to several locations",
	}
	ErrNewer error = &errs.Error{
		Code: errs.Unavailable, Op: "shard", Message: "the index was published by a newer Lens", Hint: "update Lens",
	}
	ErrOlder error = &errs.Error{
		Code: errs.Unavailable, Op: "shard", Message: "the index was published by an older Lens",
		Hint: "publish it again",
	}
)
