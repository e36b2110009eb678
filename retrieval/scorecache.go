package retrieval

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// scoreCache holds the keyword scores of the latest queries for one version of the archive. They take 16 bytes per
// turn, so few are kept, and the memory of unused ones is reused: it would be most of what a search allocates. A
// caller that needs scores which another one is computing waits for them.
type scoreCache struct {
	mu      sync.Mutex
	version int64
	latest  []*cachedScores // most recently used first
	spare   []*scores
}

// cachedScores are the scores of one query.
type cachedScores struct {
	words  string
	scores *scores
	refs   int           // readers of scores; the cache is one while it holds the entry
	done   chan struct{} // closed when scores or err is set
	err    error
}

const maxCachedScores = 8

// get returns the scores of words, computing them where they are not cached. They are valid until release is
// called.
func (c *scoreCache) get(
	ctx context.Context, version int64, words string, compute func(*scores) error,
) (s *scores, release func(), err error) {
	for {
		entry, first := c.acquire(version, words)
		if first {
			c.fill(entry, compute)
		}
		select {
		case <-entry.done:
		case <-ctx.Done():
			c.release(entry)
			return nil, nil, ctx.Err()
		}
		if entry.err == nil {
			return entry.scores, func() { c.release(entry) }, nil
		}
		c.release(entry)
		if first {
			return nil, nil, entry.err
		}
	}
}

// errNotComputed marks scores whose computation panicked.
var errNotComputed = errors.New("retrieval: scores were not computed")

// fill computes the scores of an entry. If that fails, the entry is dropped and waiting callers try themselves.
func (c *scoreCache) fill(entry *cachedScores, compute func(*scores) error) {
	entry.err = errNotComputed
	defer func() {
		if entry.err != nil {
			c.drop(entry)
		}
		close(entry.done)
	}()
	entry.err = compute(entry.scores)
}

// acquire makes the caller a user of the entry of words. first reports that the entry is new and that the caller
// must compute its scores.
func (c *scoreCache) acquire(version int64, words string) (entry *cachedScores, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		c.releaseAll(c.latest)
		c.version, c.latest = version, nil
	}
	i := slices.IndexFunc(c.latest, func(s *cachedScores) bool { return s.words == words })
	if first = i < 0; first {
		entry = &cachedScores{words: words, scores: c.spareOrNew(), refs: 1, done: make(chan struct{})}
	} else {
		entry = c.latest[i]
		c.latest = slices.Delete(c.latest, i, i+1)
	}
	entry.refs++
	c.latest = slices.Insert(c.latest, 0, entry)
	if len(c.latest) > maxCachedScores {
		c.releaseAll(c.latest[maxCachedScores:])
		c.latest = c.latest[:maxCachedScores]
	}
	return entry, first
}

// drop removes an entry from the cache, if it is still there.
func (c *scoreCache) drop(entry *cachedScores) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.latest, entry); i >= 0 {
		c.latest = slices.Delete(c.latest, i, i+1)
		c.releaseAll([]*cachedScores{entry})
	}
}

func (c *scoreCache) release(entry *cachedScores) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.releaseAll([]*cachedScores{entry})
}

// releaseAll ends one use of each entry. The caller holds mu.
func (c *scoreCache) releaseAll(entries []*cachedScores) {
	for _, entry := range entries {
		if entry.refs--; entry.refs == 0 && len(c.spare) < maxSpare {
			c.spare = append(c.spare, entry.scores)
		}
	}
}

// maxSpare is how many unused scores are kept for reuse.
const maxSpare = 2

// spareOrNew returns scores that are not in use.
func (c *scoreCache) spareOrNew() *scores {
	n := len(c.spare)
	if n == 0 {
		return new(scores)
	}
	s := c.spare[n-1]
	c.spare = c.spare[:n-1]
	return s
}
