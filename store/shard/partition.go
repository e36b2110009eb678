package shard

import (
	"encoding/binary"

	"github.com/google/uuid"

	"lens/store"
)

// Where one shard ends and the next begins is decided by the records themselves, so that a record that is added, changed or taken away
// changes the shard that it is in, and rarely those beside it: conversations stand in order of time, and whether a shard ends before one of
// them depends on its id and its size alone, once the shard is half as large as it should be on average. (This is content-defined chunking, as
// Muthitacharoen, Chen and Mazières describe it for a file system in 2001, over records instead of bytes.)

// group is a conversation with its rows of a catalog, ascending. A conversation is never divided.
type group struct {
	id   uuid.UUID
	rows []int
	size int64 // about how many bytes of a shard it makes
}

// What a record is estimated to take: texts are compressed, and indexed.
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

// partition divides groups into shards of about target bytes, half to twice as many.
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

// cuts reports whether a shard may end before g: on average once in so many bytes.
func (g *group) endsShardBefore(every int64) bool {
	chance := float64(g.size) / float64(every)
	return float64(binary.BigEndian.Uint64(g.id[8:])<<2)/(1<<64) < chance // without the bits that say that it is a UUID
}
