package ingest

import (
	"bytes"
	"cmp"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// verdict says which of two versions of a conversation stays: the stored or the imported one.
type verdict int

const (
	keepStored       verdict = iota // the stored version stays; the imported one is older, or was superseded before
	rememberImported                // the stored version stays, and must remember the imported one
	replaceStored                   // the imported version replaces the stored one
)

// mayReplace reports whether p differs from the stored version, is not older, and was not superseded before: whether
// comparing the messages is worth it.
func mayReplace(p *chat.Parsed, stored store.ConversationState) bool {
	if p.Source == store.Documents { // always as it is now, even if it was the same at an earlier time
		return p.Hash != stored.Hash
	}
	return p.Hash != stored.Hash && !p.Updated.Before(stored.Updated) && !stored.Superseded.Has(p.Hash)
}

// compare decides between p and the stored version. When the stored version comes from this same import, the order of
// reading must not matter, so the hash decides between equals.
func (v storedVersion) compare(p *chat.Parsed, r readVersions) verdict {
	if !mayReplace(p, v.state) {
		return keepStored
	}
	if p.Source == store.Documents || p.Updated.After(v.state.Updated) {
		return replaceStored
	}
	order := cmp.Compare(len(p.Messages), v.exportedMessages())
	if order == 0 && r.has(p.ID) {
		order = bytes.Compare(p.Hash[:], v.state.Hash[:])
	} else if order == 0 {
		return replaceStored
	}
	if order < 0 {
		return rememberImported
	}
	return replaceStored
}

// exportedMessages counts the messages that the stored version had in its export. Messages retained from earlier
// versions have no hash.
func (v storedVersion) exportedMessages() (n int) {
	for _, hash := range v.messages {
		n += boolToInt(hash != store.Hash{})
	}
	return n
}

// recordSuperseded records in p that it supersedes the stored version.
func (v storedVersion) recordSuperseded(p *chat.Parsed) {
	p.Superseded = nil
	if p.Source != store.Documents && p.Updated.Equal(v.state.Updated) {
		p.Superseded = v.state.Superseded.Add(v.state.Hash)
	}
}

// readVersions holds the ids of the conversations whose stored version comes from this import.
type readVersions map[uuid.UUID]struct{}

func (r readVersions) has(id uuid.UUID) bool {
	_, ok := r[id]
	return ok
}

func (r readVersions) add(id uuid.UUID) { r[id] = struct{}{} }
