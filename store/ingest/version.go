package ingest

import (
	"bytes"
	"cmp"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// version is what decides which of two versions of a conversation stays: the one updated later, then the one with more messages,
// then the one with the greater hash. All versions are in one order, so what stays never depends on which was read first. An unknown
// update time is before all others.
type version struct {
	updated  time.Time
	messages int
	hash     store.Hash
}

func versionOf(p *chat.Parsed) version { return version{p.Updated, len(p.Messages), p.Hash} }

// version returns the version that the archive holds. Messages that were kept from versions before it have no hash.
func (a past) version() version {
	v := version{updated: a.state.Updated, hash: a.state.Hash}
	for _, hash := range a.messages {
		v.messages += one(hash != store.Hash{})
	}
	return v
}

func (v version) compare(w version) int {
	return cmp.Or(v.updated.Compare(w.updated), cmp.Compare(v.messages, w.messages), bytes.Compare(v.hash[:], w.hash[:]))
}

// mayReplace reports whether p tells something else than what is stored, and is not older: whether the messages are worth a look.
func mayReplace(p *chat.Parsed, stored store.ConversationState) bool {
	return p.Hash != stored.Hash && !p.Updated.Before(stored.Updated)
}

// supersedes reports whether p is the later version.
func supersedes(p *chat.Parsed, stored past) bool {
	return mayReplace(p, stored.state) && versionOf(p).compare(stored.version()) > 0
}
