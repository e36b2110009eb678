package shard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"lens/internal/errs"
)

// VerifyReport lists the faults of a published index.
type VerifyReport struct {
	Index      string  `json:"index"`
	Generation int64   `json:"generation"`
	Shards     int     `json:"shards"`
	Records    int     `json:"records"`
	Bytes      int64   `json:"bytes"`  // bytes read
	Faults     []Fault `json:"faults"` // empty: the index is intact
	Unused     int     `json:"unused"` // Lens' objects that the manifest does not list
}

// Fault is an object that differs from its published bytes.
type Fault struct {
	Key   string `json:"key"`
	What  string `json:"what"`
	Newer bool   `json:"newer,omitempty"` // published by a newer Lens; publishing again does not repair it
}

// Verify reads every object of every index in a bucket. Errors: not_found if there is none, unavailable.
func Verify(ctx context.Context, b Bucket) ([]VerifyReport, error) {
	var all []VerifyReport
	for root, err := range Roots(ctx, b) {
		if err != nil {
			return nil, err
		}
		v, err := verify(ctx, b, root)
		if err != nil {
			return nil, err
		}
		all = append(all, *v)
	}
	if len(all) == 0 {
		return nil, errNoIndex
	}
	return all, nil
}

func verify(ctx context.Context, b Bucket, root string) (*VerifyReport, error) {
	v := &VerifyReport{Index: root, Faults: []Fault{}}
	m, _, err := readManifest(ctx, b, root, "")
	if err != nil {
		return v, v.add(root+ManifestName, err)
	}
	v.Generation, v.Shards, v.Records = m.Generation, len(m.Shards), m.Records
	refs := map[string]bool{}
	for _, ref := range append([]Ref{m.Statistics}, refsOf(m.Shards)...) {
		refs[ref.Key] = true
		read, err := checkObject(ctx, b, root, ref)
		v.Bytes += read
		if err != nil {
			if err := v.add(root+ref.Key, err); err != nil {
				return v, err
			}
		}
	}
	for info, err := range b.List(ctx, root) {
		if err != nil {
			return v, err
		}
		if name := info.Key[len(root):]; objectName().MatchString(name) && !refs[name] {
			v.Unused++
		}
	}
	return v, nil
}

func refsOf(parts []Part) []Ref {
	refs := make([]Ref, len(parts))
	for i := range parts {
		refs[i] = parts[i].Ref
	}
	return refs
}

// add records an object's fault. It returns errors that are not about the object.
func (v *VerifyReport) add(key string, err error) error {
	var known *errs.Error
	for _, fault := range []error{ErrNotFound, ErrDamaged, ErrNewer, ErrOlder} {
		if errors.Is(err, fault) && errors.As(fault, &known) {
			v.Faults = append(v.Faults, Fault{key, known.Message, fault == ErrNewer})
			return nil
		}
	}
	return err
}

// checkObject reads and verifies a whole object.
func checkObject(ctx context.Context, b Bucket, root string, ref Ref) (read int64, err error) {
	object, err := b.Get(ctx, root+ref.Key, GetOptions{})
	if err != nil {
		return 0, err
	}
	h := sha256.New()
	read, err = io.Copy(h, object.Body)
	if err = errors.Join(err, object.Body.Close()); err != nil {
		return read, err
	}
	if read != ref.Size || hex.EncodeToString(h.Sum(nil)) != ref.SHA256 {
		err = ErrDamaged
	}
	return read, err
}
