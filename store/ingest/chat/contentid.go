package chat

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// ContentIDs gives ids to messages of one conversation whose format has none. The zero value is ready.
//
// An id depends on the role, time and text alone, so that it stays the same when a later export has more messages.
// Equal messages are numbered.
type ContentIDs struct{ seen map[string]int }

// Of returns the id of the next message.
func (c *ContentIDs) Of(m *Message) string {
	id := ContentID(string(m.Role), timeField(m.Time), m.Text)
	if c.seen == nil {
		c.seen = make(map[string]int)
	}
	if c.seen[id]++; c.seen[id] > 1 {
		id += " " + strconv.Itoa(c.seen[id])
	}
	return id
}

// ContentID returns an id for something with these fields.
func ContentID(fields ...string) string {
	h := sha256.New()
	for _, f := range fields {
		h.Write([]byte(strconv.Itoa(len(f)) + ":" + f)) // the length, so that no two lists give the same bytes
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func timeField(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMicro(), 10)
}
