package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store"
	"lens/store/shard/shardtest"
)

// countingBucket records the keys that were put.
type countingBucket struct {
	*Folder
	puts []string
	fail func(key string) error // nil: never
}

func (b *countingBucket) Put(ctx context.Context, key string, body *io.SectionReader, o PutOptions) (string, error) {
	b.puts = append(b.puts, key[strings.LastIndexByte(key, '/')+1:])
	if b.fail != nil {
		if err := b.fail(key); err != nil {
			return "", err
		}
	}
	return b.Folder.Put(ctx, key, body, o)
}

func folder(t testing.TB) *countingBucket { return &countingBucket{Folder: NewFolder(t.TempDir())} }

// copyOf returns a bucket with the same objects, which is faster than publishing again.
func copyOf(t *testing.T, b *countingBucket) *countingBucket {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(b.dir)))
	return &countingBucket{Folder: NewFolder(dir)}
}

// objects returns the sizes of a bucket's objects, by key.
func objects(t *testing.T, b Bucket) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for info, err := range b.List(t.Context(), "") {
		must(t, err)
		all[info.Key] = info.Size
	}
	return all
}

func TestPublish_Deterministic(t *testing.T) {
	skipIfShort(t)
	all := shardtest.Records(600)
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	one, other := folder(t), folder(t)
	same := shardtest.Archive(t, backwards[:200], backwards[200:], backwards[100:300])
	p := publish(t, shardtest.Archive(t, all), one, PublishOptions{ShardBytes: shardtest.Small})
	publish(t, same, other, PublishOptions{ShardBytes: shardtest.Small})
	if p.Shards < 3 || p.Records != 600 || p.Vectors != 585 || p.Sent != p.Shards+1 || !p.Changed || p.Generation != 1 {
		t.Errorf("published %+v", p)
	}
	a, b := objects(t, one), objects(t, other)
	if !maps.Equal(a, b) { // names are checksums
		t.Errorf("published %v and %v", a, b)
	}
	if p := publish(t, same, one, PublishOptions{ShardBytes: shardtest.Small}); p.Changed || p.Sent != 0 {
		t.Errorf("published over an equal index: %+v", p)
	}
}

func TestPublish_SendsOnlyChanges(t *testing.T) {
	skipIfShort(t)
	all := shardtest.Records(900)
	st, to := shardtest.Archive(t, all), folder(t)
	publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	to.puts = nil
	if p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small}); p.Changed || p.Sent != 0 || len(to.puts) != 0 || p.Generation != 1 {
		t.Errorf("published unchanged: %+v, put %v", p, to.puts)
	}
	changed := all[450]
	changed.Text += " and one thing more"
	shardtest.Put(t, st, []shardtest.Record{changed})
	p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	if p.Generation != 2 || p.Sent != 2 || len(to.puts) != 3 || to.puts[2] != ManifestName || p.Shards < 4 {
		t.Errorf("one record changed: %+v, put %v", p, to.puts)
	}
	if got := len(objects(t, to)); got != p.Shards+1+1+2 { // and the two that were replaced
		t.Errorf("%d objects, %+v", got, p)
	}
	p = publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small, Prune: true})
	if p.Pruned != 2 || p.Sent != 0 || len(objects(t, to)) != p.Shards+2 {
		t.Errorf("pruned: %+v", p)
	}
}

func TestPublish_MissingShard(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(300)), folder(t)
	publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	before := objects(t, to)
	for key := range before {
		if strings.Contains(key, "/shard-") {
			must(t, to.Delete(t.Context(), key))
			break
		}
	}
	if p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small}); p.Sent != 1 || p.Changed || !maps.Equal(objects(t, to), before) {
		t.Errorf("%+v", p)
	}
}

func TestPublish_ManifestLast(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(300)), folder(t)
	to.fail = func(key string) error {
		if strings.Contains(key, "/shard-") && len(to.puts) > 1 {
			return &errs.Error{Code: errs.Unavailable, Op: "test", Message: "cut"}
		}
		return nil
	}
	if _, err := Publish(t.Context(), st, to, PublishOptions{ShardBytes: shardtest.Small / 2}); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	if _, there := objects(t, to)["indexes/model=words/dims=16/"+ManifestName]; there || len(objects(t, to)) != 1 {
		t.Errorf("left %v", objects(t, to))
	}
	to.fail = func(key string) error {
		if strings.HasSuffix(key, ManifestName) { // another publication is faster
			to.fail = nil
			publish(t, st, to.Folder, PublishOptions{ShardBytes: shardtest.Small})
		}
		return nil
	}
	_, err := Publish(t.Context(), st, to, PublishOptions{ShardBytes: shardtest.Small / 2})
	if !errors.Is(err, ErrChanged) || errs.CodeOf(err) != errs.Unavailable || !strings.Contains(err.Error(), "another process") {
		t.Errorf("got %v", err)
	}
}

func TestPublish_Errors(t *testing.T) {
	skipIfShort(t)
	without := shardtest.Records(10)
	for i := range without {
		without[i].Vector = nil
	}
	for name, c := range map[string]struct {
		from store.Reader
		want errs.Code
		says string
	}{
		"an empty archive":                 {shardtest.Archive(t), errs.NotFound, "an index needs vectors, and nothing is embedded yet"},
		"records without vectors":          {shardtest.Archive(t, without), errs.NotFound, "nothing is embedded yet"},
		"a backend without vectors":        {struct{ store.Reader }{shardtest.Archive(t, shardtest.Records(10))}, errs.Invalid, "an archive in Postgres cannot be published"},
		"a single record without a vector": {shardtest.Archive(t, without[:1]), errs.NotFound, "nothing is embedded yet"},
	} {
		if _, err := Publish(t.Context(), c.from, folder(t), PublishOptions{}); errs.CodeOf(err) != c.want || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPublish_KeepsForeignIndex(t *testing.T) {
	skipIfShort(t)
	st, published := shardtest.Archive(t, shardtest.Records(100)), folder(t)
	publish(t, st, published, PublishOptions{})
	for name, c := range map[string]struct {
		damage func(m *Manifest)
		want   errs.Code
	}{
		"another provider": {func(m *Manifest) { m.Model.Provider = "other" }, errs.Invalid},
		"newer Lens":       {func(m *Manifest) { m.Format++ }, errs.Unavailable},
		"older Lens":       {func(m *Manifest) { m.Terms-- }, ""},
		"damage":           {func(m *Manifest) { m.Records++ }, ""},
	} {
		to := copyOf(t, published)
		rewrite(t, to, c.damage)
		if _, err := Publish(t.Context(), st, to, PublishOptions{}); errs.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// rewrite changes the manifest in a bucket.
func rewrite(t *testing.T, b Bucket, change func(m *Manifest)) {
	t.Helper()
	m, _, err := readManifest(t.Context(), b, shardtest.Root, "")
	must(t, err)
	change(m)
	text, err := m.Encode()
	must(t, err)
	_, err = b.Put(t.Context(), shardtest.Root+ManifestName, io.NewSectionReader(strings.NewReader(string(text)), 0, int64(len(text))), PutOptions{})
	must(t, err)
}

func TestPublish_RepairsDamage(t *testing.T) {
	skipIfShort(t)
	st, published := shardtest.Archive(t, shardtest.Records(200)), folder(t)
	publish(t, st, published, PublishOptions{ShardBytes: shardtest.Small})
	for _, f := range shardtest.Faults() {
		if !strings.Contains(f.Name, "shard") && !strings.Contains(f.Name, "flipped") && f.Name != "no statistics" {
			continue
		}
		to := copyOf(t, published)
		f.Damage(t, to.dir)
		before := faultsIn(t, to)
		p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
		if p.Changed || p.Sent != before || before == 0 || faultsIn(t, to) != 0 || !maps.Equal(objects(t, to), objects(t, published)) {
			t.Errorf("%s: %d faults, %+v, then %d", f.Name, before, p, faultsIn(t, to))
		}
	}
}

// faultsIn returns the number of faulty objects in a bucket's index.
func faultsIn(t *testing.T, b Bucket) int {
	t.Helper()
	all, err := Verify(t.Context(), b)
	must(t, err)
	return len(all[0].Faults)
}

func TestPrune_KeepsForeignFiles(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(100)), folder(t)
	publish(t, st, to, PublishOptions{})
	root, old := filepath.Join(to.dir, shardtest.Root), time.Now().Add(-2*tempFileMaxAge)
	keep := []string{"notes/my.txt", "my.txt", "shard-0123456789abcdef/of-mine", "shard-0123456789abcdef0", "~mine", "~NEWDRAFTNEWDRAFT"}
	for _, name := range append(keep, "shard-0123456789abcde0", "statistics-0123456789abcdef", "~OLDDRAFTOLDDRAFT") {
		at := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(at), 0o755))
		must(t, os.WriteFile(at, nil, 0o600))
		if name != "~NEWDRAFTNEWDRAFT" {
			must(t, os.Chtimes(at, old, old))
		}
	}
	if p := publish(t, st, to, PublishOptions{Prune: true}); p.Pruned != 3 {
		t.Errorf("%+v", p)
	}
	for _, name := range keep {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	if p := publish(t, st, to, PublishOptions{Prune: true}); p.Pruned != 0 || faultsIn(t, to) != 0 {
		t.Errorf("again: %+v", p)
	}
}

func TestPublish_TooLarge(t *testing.T) {
	skipIfShort(t)
	to := folder(t)
	publish(t, shardtest.Archive(t, shardtest.Records(20)), to, PublishOptions{})
	last, etag, err := readManifest(t.Context(), to, shardtest.Root, "")
	must(t, err)
	for name, shards := range map[string][]Part{
		"too many shards": make([]Part, maxShards+1),
		"too many bytes":  {{Facts: Facts{"k": {strings.Repeat("x", maxManifest)}}}},
	} {
		next := *last
		next.Shards = shards
		p := &publisher{bucket: to, root: shardtest.Root, last: last, etag: etag, next: &next}
		if err := p.putManifest(t.Context()); !errors.Is(err, errTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
		if _, now, err := readManifest(t.Context(), to, shardtest.Root, ""); now != etag || err != nil {
			t.Errorf("%s: the manifest was replaced: %v", name, err)
		}
	}
}
