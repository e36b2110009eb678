package shard

import (
	"context"
	"regexp"
	"time"
)

// objectName is what Lens names an object beneath an index's folder. What has another name is somebody else's.
var objectName = regexp.MustCompile(`^(shard|statistics)-[0-9a-f]{16}$`)

// abandoned is how old a draft is that nobody writes to any more.
const tempFileMaxAge = 24 * time.Hour

// prune deletes every object of Lens in the index's folder that the new manifest does not name, and drafts that were never finished.
func (p *publisher) prune(ctx context.Context) error {
	wanted := map[string]bool{p.next.Statistics.Key: true}
	for i := range p.next.Shards {
		wanted[p.next.Shards[i].Key] = true
	}
	for key := range p.existing {
		if wanted[key] || !objectName.MatchString(key) {
			continue
		}
		if err := p.bucket.Delete(ctx, p.root+key); err != nil {
			return err
		}
		p.report.Pruned++
	}
	if drafts, may := p.bucket.(interface {
		deleteDrafts(folder string, before time.Time) (int, error)
	}); may {
		n, err := drafts.deleteDrafts(p.root, time.Now().Add(-tempFileMaxAge))
		p.report.Pruned += n
		return err
	}
	return nil
}
