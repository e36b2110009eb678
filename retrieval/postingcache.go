package retrieval

import (
	"container/list"
	"sync"

	"lens/retrieval/rank"
)

// postingCache holds the most recently used posting lists of one version of the archive: the commonest words are in
// most queries and have the longest lists. Lists are shared and never modified.
type postingCache struct {
	mu      sync.Mutex
	version int64
	byTerm  map[string]*list.Element
	latest  *list.List // of *cachedPostings, most recently used first
	weight  int
}

type cachedPostings struct {
	term string
	list rank.PostingList
}

// maxCachedPostings bounds the cache in postings of 8 bytes: the lists of 40 words that occur in each of 100,000
// turns.
const maxCachedPostings = 4 << 20

// weight is in postings. An unknown term costs something too.
func (k *cachedPostings) weight() int { return len(k.list.Rows) + 16 }

func (k *postingCache) get(version int64, term string) (rank.PostingList, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, ok := k.byTerm[term]
	if !ok || k.version != version {
		return rank.PostingList{}, false
	}
	k.latest.MoveToFront(e)
	return e.Value.(*cachedPostings).list, true
}

func (k *postingCache) put(version int64, term string, l rank.PostingList) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byTerm == nil || k.version != version {
		k.version, k.byTerm, k.latest, k.weight = version, make(map[string]*list.Element), list.New(), 0
	}
	if _, twice := k.byTerm[term]; twice { // added concurrently
		return
	}
	added := &cachedPostings{term, l}
	k.byTerm[term] = k.latest.PushFront(added)
	for k.weight += added.weight(); k.weight > maxCachedPostings; {
		oldest := k.latest.Remove(k.latest.Back()).(*cachedPostings)
		delete(k.byTerm, oldest.term)
		k.weight -= oldest.weight()
	}
}
