package retrieval

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"lens/internal/lru"
	"lens/retrieval/rank"
	"lens/store"
)

// versioned is the key of what depends on a word or a query, and on the version of the archive.
type versioned struct {
	version int64
	text    string
}

// maxCachedPostings bounds the cached posting lists, in postings of 8 bytes: the lists of 40 words that occur in each
// of 100,000 turns. The commonest words are in most queries and have the longest lists.
const maxCachedPostings = 4 << 20

// weight is in postings. An unknown term costs something too.
func weight(l rank.PostingList) int { return len(l.Rows) + 16 }

// wordIndex knows where words occur in the archive and how turns score by them. It caches both.
type wordIndex struct {
	source   Source
	postings lru.Cache[versioned, rank.PostingList]
	scores   scoreCache
}

func newWordIndex(source Source) *wordIndex {
	w := &wordIndex{source: source}
	w.postings.Limit, w.postings.Weight = maxCachedPostings, weight
	return w
}

// lists returns where terms occur, in ascending rows without those of dead ordinals. Cached lists are not
// read again. Callers share the lists and must not modify them.
func (w *wordIndex) lists(ctx context.Context, a *snapshot, terms []string) ([]rank.PostingList, error) {
	lists := make([]rank.PostingList, len(terms))
	var unread []string
	var places []int
	for i, term := range terms {
		var known bool
		if lists[i], known = w.postings.Get(versioned{a.Version, term}); !known {
			unread, places = append(unread, term), append(places, i)
		}
	}
	if len(unread) == 0 {
		return lists, nil
	}
	postings, err := w.source.Postings(ctx, unread)
	if err != nil {
		return nil, err
	}
	for i, p := range postings {
		list := postingListOf(a.Catalog, p)
		lists[places[i]] = w.postings.Add(versioned{a.Version, unread[i]}, list)
	}
	return lists, nil
}

// postingListOf converts ordinals to ascending rows and drops dead ones. It copies the counts only where the order
// or the number of postings changes.
func postingListOf(c *store.Catalog, p store.Postings) rank.PostingList {
	rows := make([]int32, 0, len(p.Ords))
	for _, ord := range p.Ords {
		row, alive := c.Row(ord)
		if !alive || len(rows) > 0 && rows[len(rows)-1] >= int32(row) {
			return sortPostings(c, p)
		}
		rows = append(rows, int32(row))
	}
	return rank.PostingList{Rows: rows, Counts: p.Counts}
}

// sparseShare is the share of rows up to which a list is sorted by comparison. A longer one is scattered over all
// rows and gathered again.
const sparseShare = 1.0 / 64

func sortPostings(c *store.Catalog, p store.Postings) rank.PostingList {
	if float64(len(p.Ords)) > sparseShare*float64(c.Len()) {
		return gatherPostings(c, p)
	}
	type posting struct {
		row   int32
		count uint32
	}
	all := make([]posting, 0, len(p.Ords))
	for i, ord := range p.Ords {
		if row, alive := c.Row(ord); alive {
			all = append(all, posting{int32(row), p.Counts[i]})
		}
	}
	slices.SortFunc(all, func(a, b posting) int { return cmp.Compare(a.row, b.row) })
	list := rank.PostingList{Rows: make([]int32, len(all)), Counts: make([]uint32, len(all))}
	for i, x := range all {
		list.Rows[i], list.Counts[i] = x.row, x.count
	}
	return list
}

// scratchCounts pools counts by row, all 0.
var scratchCounts = sync.Pool{New: func() any { return new([]uint32) }}

func gatherPostings(c *store.Catalog, p store.Postings) rank.PostingList {
	spread := scratchCounts.Get().(*[]uint32)
	if len(*spread) < c.Len() {
		*spread = make([]uint32, c.Len())
	}
	counts, n := (*spread)[:c.Len()], 0
	for i, ord := range p.Ords {
		if row, alive := c.Row(ord); alive {
			counts[row] = p.Counts[i]
			n++
		}
	}
	list := rank.PostingList{Rows: make([]int32, 0, n), Counts: make([]uint32, 0, n)}
	for row, count := range counts {
		if count > 0 {
			list.Rows, list.Counts = append(list.Rows, int32(row)), append(list.Counts, count)
			counts[row] = 0
		}
	}
	scratchCounts.Put(spread)
	return list
}

// intersectAll returns the rows that are in all lists, ascending; none without lists. It starts from the shortest
// list, so it looks at few rows of the others.
func intersectAll(lists []rank.PostingList) []int32 {
	if len(lists) == 0 {
		return nil
	}
	byLength := slices.Clone(lists)
	slices.SortFunc(byLength, func(a, b rank.PostingList) int { return cmp.Compare(len(a.Rows), len(b.Rows)) })
	whole := byLength[0].Rows
	for _, list := range byLength[1:] {
		whole = intersect(whole, list.Rows)
	}
	return whole
}

// intersect returns the rows of few that are also in many; both ascend.
func intersect(few, many []int32) []int32 {
	both := make([]int32, 0, len(few))
	for _, row := range few {
		many = many[rowsBefore(many, row):]
		if len(many) == 0 {
			break
		}
		if many[0] == row {
			both = append(both, row)
		}
	}
	return both
}

// rowsBefore returns how many of rows (ascending) lie before row. It gallops, so small results are cheap.
func rowsBefore(rows []int32, row int32) int {
	reach := 1
	for reach < len(rows) && rows[reach] < row {
		reach *= 2
	}
	from := reach / 2
	n, _ := slices.BinarySearch(rows[from:min(reach+1, len(rows))], row)
	return from + n
}
