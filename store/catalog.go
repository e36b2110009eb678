package store

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Flag is a set of properties of a turn.
type Flag uint8

// The properties of a turn that filters and ranking need.
const (
	FlagOnPath Flag = 1 << iota
	FlagEmbeddable
)

// CatalogRow holds the columns of one turn in the catalog.
type CatalogRow struct {
	Ord          Ord
	ID           uuid.UUID
	Conversation uuid.UUID
	Source       Source // of the conversation
	Position     int32
	Flags        Flag
	Length       int32
	Time         int64 // UTC microseconds since 1970
	Undated      bool
}

// Catalog holds the small columns of all turns, one row per turn in time order (ties by turn id),
// undated turns last. A row number is valid only together with its Catalog. All slices of rows have
// the same length.
type Catalog struct {
	Version int64 // changes with every commit that changes a turn, a vector or a generation
	Dated   int   // rows [0, Dated) have a time

	Time          []int64 // UTC microseconds since 1970; 0 for the undated
	Ord           []Ord
	ID            []uuid.UUID
	Conversation  []int32 // index into Conversations
	Conversations []uuid.UUID
	SourceOf      []uint8 // by conversation: index into Sources
	Sources       []Source
	Flags         []Flag
	Length        []int32 // index terms in the text
	Prev, Next    []int32 // rows of the adjacent turns on the conversation's active path; -1: none

	TotalLength int64 // sum of Length
	rowOf       []int32
}

// NewCatalog builds a catalog from rows in any order.
func NewCatalog(version int64, rows []CatalogRow) *Catalog {
	c := emptyCatalog(version, len(rows))
	maxOrd := Ord(0)
	positions := make([]int32, len(rows))
	index := make(map[uuid.UUID]int32)
	for i, key := range timeOrder(rows) {
		r := &rows[key.row]
		if r.Undated {
			c.Dated = min(c.Dated, i)
		} else {
			c.Time[i] = r.Time
		}
		conv, seen := index[r.Conversation]
		if !seen {
			conv = int32(len(c.Conversations))
			index[r.Conversation] = conv
			c.Conversations = append(c.Conversations, r.Conversation)
			c.SourceOf = append(c.SourceOf, c.sourceIndex(r.Source))
		}
		c.Ord[i], c.ID[i], c.Conversation[i], c.Flags[i], c.Length[i] = r.Ord, r.ID, conv, r.Flags, r.Length
		positions[i] = r.Position
		c.TotalLength += int64(r.Length)
		maxOrd = max(maxOrd, r.Ord)
	}
	c.indexOrds(maxOrd)
	c.linkNeighbors(positions)
	return c
}

// sourceIndex returns the index of s in Sources and appends s if it is missing. There are far fewer
// than 256.
func (c *Catalog) sourceIndex(s Source) uint8 {
	i := slices.Index(c.Sources, s)
	if i < 0 {
		i = len(c.Sources)
		c.Sources = append(c.Sources, s)
	}
	return uint8(i)
}

// emptyCatalog returns a catalog with room for n rows, all of them dated.
func emptyCatalog(version int64, n int) *Catalog {
	return &Catalog{
		Version: version, Dated: n,
		Time: make([]int64, n), Ord: make([]Ord, n), ID: make([]uuid.UUID, n), Conversation: make([]int32, n),
		Flags: make([]Flag, n), Length: make([]int32, n), Prev: make([]int32, n), Next: make([]int32, n),
	}
}

// timeKey is the sort key of a row. It is small because sorting moves it.
type timeKey struct {
	time int64
	row  int32
}

// timeOrder returns the rows in the order of a catalog.
func timeOrder(rows []CatalogRow) []timeKey {
	keys := make([]timeKey, len(rows))
	for i := range rows {
		keys[i] = timeKey{rows[i].Time, int32(i)}
		if rows[i].Undated {
			keys[i].time = math.MaxInt64
		}
	}
	slices.SortFunc(keys, func(a, b timeKey) int {
		if a.time != b.time {
			return cmp.Compare(a.time, b.time)
		}
		return bytes.Compare(rows[a.row].ID[:], rows[b.row].ID[:])
	})
	return keys
}

func (c *Catalog) indexOrds(maxOrd Ord) {
	c.rowOf = make([]int32, int(maxOrd)+1)
	for i := range c.rowOf {
		c.rowOf[i] = -1
	}
	for i, ord := range c.Ord {
		c.rowOf[ord] = int32(i)
	}
}

// linkNeighbors fills Prev and Next along each conversation's active path.
func (c *Catalog) linkNeighbors(positions []int32) {
	order := make([]int32, 0, len(positions))
	for i := range positions {
		c.Prev[i], c.Next[i] = -1, -1
		if c.Flags[i]&FlagOnPath != 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.Conversation[a], c.Conversation[b]), cmp.Compare(positions[a], positions[b]))
	})
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; c.Conversation[a] == c.Conversation[b] {
			c.Next[a], c.Prev[b] = b, a
		}
	}
}

// Len returns the number of rows.
func (c *Catalog) Len() int { return len(c.Ord) }

// Row returns the row of ord; false if no turn has that ordinal any more.
func (c *Catalog) Row(ord Ord) (int, bool) {
	if int(ord) >= len(c.rowOf) || c.rowOf[ord] < 0 {
		return 0, false
	}
	return int(c.rowOf[ord]), true
}

// RowRange returns the half-open range of rows within f's time bounds.
func (c *Catalog) RowRange(f Filter) (lo, hi int) {
	if !f.Timed() {
		return 0, c.Len()
	}
	hi = c.Dated
	if !f.Since.IsZero() {
		lo = c.firstAtOrAfter(f.Since)
	}
	if !f.Until.IsZero() {
		hi = c.firstAtOrAfter(f.Until)
	}
	return lo, max(lo, hi)
}

func (c *Catalog) firstAtOrAfter(t time.Time) int {
	i, _ := slices.BinarySearch(c.Time[:c.Dated], Micros(t))
	return i
}

// IsChunk reports whether a row is a chunk of a document or a record rather than a turn of a chat.
func (c *Catalog) IsChunk(row int) bool { return c.Sources[c.SourceOf[c.Conversation[row]]].Chunked() }

// ConversationIndex returns the index of id in Conversations, -1 if no turn belongs to it.
func (c *Catalog) ConversationIndex(id uuid.UUID) int32 {
	return int32(slices.Index(c.Conversations, id))
}

// Micros returns t as UTC microseconds since 1970, rounded down: the unit of stored times.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// FromMicros is the inverse of Micros.
func FromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
