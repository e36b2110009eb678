package ingest

import (
	"bytes"
	"cmp"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// verdict is what becomes of a version of a conversation that is stored in another one.
type verdict int

const (
	keepStored    verdict = iota // the stored version does; it knows this one, or this one is older
	rememberGiven                // this version does, and the stored one is to remember it
	replaceStored                // the stored version is replaced
)

// mayReplace reports whether p tells something else than what is stored, is not older, and never gave way before: whether the messages
// are worth a look.
func mayReplace(p *chat.Parsed, stored store.ConversationState) bool {
	if p.Source == store.Documents { // it is what it is now, also when that is what it was before
		return p.Hash != stored.Hash
	}
	return p.Hash != stored.Hash && !p.Updated.Before(stored.Updated) && !stored.Superseded.Has(p.Hash)
}

// compare decides between p and the stored version. Where this import has read the stored version too, nothing tells which of two
// equals is newer, and what must not decide is which was read first.
func (a storedVersion) compare(p *chat.Parsed, r readVersions) verdict {
	if !mayReplace(p, a.state) {
		return keepStored
	}
	if p.Source == store.Documents || p.Updated.After(a.state.Updated) {
		return replaceStored
	}
	order := cmp.Compare(len(p.Messages), a.exportedMessages())
	if order == 0 && r.has(p.ID) {
		order = bytes.Compare(p.Hash[:], a.state.Hash[:])
	} else if order == 0 {
		return replaceStored
	}
	if order < 0 {
		return rememberGiven
	}
	return replaceStored
}

// exportedMessages counts the messages that the stored version had in its export. Those that were kept from versions before it have no hash.
func (a storedVersion) exportedMessages() (n int) {
	for _, hash := range a.messages {
		n += toInt(hash != store.Hash{})
	}
	return n
}

// recordSuperseded makes p remember what gave way to it.
func (a storedVersion) recordSuperseded(p *chat.Parsed) {
	p.Superseded = nil
	if p.Source != store.Documents && p.Updated.Equal(a.state.Updated) {
		p.Superseded = a.state.Superseded.Add(a.state.Hash)
	}
}

// readVersions holds the conversations of which an import has read the version that is now stored.
type readVersions map[uuid.UUID]struct{}

func (r readVersions) has(id uuid.UUID) bool {
	_, ok := r[id]
	return ok
}

func (r readVersions) add(id uuid.UUID) { r[id] = struct{}{} }
