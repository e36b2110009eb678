package shard

import (
	"context"
	"time"

	"lens/internal/lazyregexp"
)

// objectName matches the names of Lens' objects in an index's folder. Other files belong to someone else.
var objectName = lazyregexp.New(`^(shard|statistics)-[0-9a-f]{16}$`)

// tempFileMaxAge is the age at which a temporary file counts as abandoned.
const tempFileMaxAge = 24 * time.Hour

// prune deletes the objects in the index's folder that the new manifest does not list, and abandoned
// temporary files.
func (p *publisher) prune(ctx context.Context) error {
	wanted := map[string]bool{p.next.Statistics.Key: true}
	for i := range p.next.Shards {
		wanted[p.next.Shards[i].Key] = true
	}
	for key := range p.existing {
		if wanted[key] || !objectName().MatchString(key) {
			continue
		}
		if err := p.bucket.Delete(ctx, p.root+key); err != nil {
			return err
		}
		p.report.Pruned++
	}
	if folder, ok := p.bucket.(interface {
		deleteTempFiles(folder string, before time.Time) (int, error)
	}); ok {
		n, err := folder.deleteTempFiles(p.root, time.Now().Add(-tempFileMaxAge))
		p.report.Pruned += n
		return err
	}
	return nil
}
