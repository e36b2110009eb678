package ingest

import (
	"context"
	"sync"

	"lens/store"
)

// claims keeps pages that are embedded at the same time from asking for the same text. A page claims all it can at once
// and waits only when it has released them, so that no two pages wait for each other.
type claims struct {
	mu sync.Mutex
	of map[store.Hash]*claim
}

// claim is the texts that one page asks for.
type claim struct {
	claims   *claims
	hashes   []store.Hash
	texts    []int         // indexes in the page
	released chan struct{} // closed when their vectors are stored, or will not be
}

// take claims those of a page's open texts that no other page has claimed.
func (c *claims) take(p *embedPage, open []int) (mine *claim, others claimedTexts) {
	mine = &claim{claims: c, released: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = make(map[store.Hash]*claim)
	}
	for _, at := range open {
		hash := p.hashes[at]
		if other, claimed := c.of[hash]; claimed {
			others.texts, others.by = append(others.texts, at), append(others.by, other)
			continue
		}
		c.of[hash] = mine
		mine.hashes, mine.texts = append(mine.hashes, hash), append(mine.texts, at)
	}
	return mine, others
}

func (c *claim) release() {
	c.claims.mu.Lock()
	defer c.claims.mu.Unlock()
	for _, hash := range c.hashes {
		delete(c.claims.of, hash)
	}
	close(c.released)
}

// claimedTexts are the texts of a page that others have claimed.
type claimedTexts struct {
	texts []int
	by    []*claim // of each text
}

// wait returns the texts when all of them are released.
func (c claimedTexts) wait(ctx context.Context) ([]int, error) {
	for _, other := range c.by {
		select {
		case <-other.released:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return c.texts, nil
}
