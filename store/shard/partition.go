package shard

import (
	"encoding/binary"

	"github.com/google/uuid"

	"lens/store"
)

// The records themselves decide where shards begin, so that adding, changing or removing a record changes its
// own shard and rarely a neighbor. Conversations are ordered by time. Once a shard has half its average size,
// whether it ends before a conversation depends only on that conversation's id and size. (This is
// content-defined chunking, as Muthitacharoen, Chen and Mazières describe it for a file system in 2001, over
// records instead of bytes.)

// group is a conversation with its catalog rows, ascending. A conversation is never divided.
type group struct {
	id   uuid.UUID
	rows []int
	size int64 // estimated bytes in a shard
}

// Estimated bytes of a record: texts are compressed and indexed.
const (
	bytesPerRecord = 600
	bytesPerTerm   = 10
)

// groupsOf returns the conversations of a scope in the order of their first rows.
func groupsOf(c *store.Catalog, scope *store.Scope, dims int) []*group {
	var groups []*group
	known := make(map[int32]*group)
	for row := range scope.Rows() {
		of := c.Conversation[row]
		g := known[of]
		if g == nil {
			g = &group{id: c.Conversations[of]}
			known[of] = g
			groups = append(groups, g)
		}
		g.rows = append(g.rows, row)
		g.size += bytesPerRecord + bytesPerTerm*int64(c.Length[row]) + int64(3*dims)
	}
	return groups
}

// partition divides groups into shards of about target bytes, from half to twice that.
func partition(groups []*group, target int64) [][]*group {
	var parts [][]*group
	from, size := 0, int64(0)
	for i, g := range groups {
		if size >= 2*target || size+g.size > 2*target && size > 0 || size >= target/2 && g.endsShardBefore(target/2) {
			parts = append(parts, groups[from:i])
			from, size = i, 0
		}
		size += g.size
	}
	if from < len(groups) {
		parts = append(parts, groups[from:])
	}
	return parts
}

// endsShardBefore reports whether a shard may end before g: on average once in every bytes.
func (g *group) endsShardBefore(every int64) bool {
	chance := float64(g.size) / float64(every)
	return float64(binary.BigEndian.Uint64(g.id[8:])<<2)/(1<<64) < chance // without the UUID's variant bits
}
