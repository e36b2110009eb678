package sqlite

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// knownIDs holds a hash of the id of each stored message and conversation, and of some that are not: an import asks
// which of those that it reads are stored, and most are new. Other processes may write between two transactions; then
// the ids are read again.
type knownIDs struct {
	hashes map[uint32]struct{} // nil: not read
	asked  int                 // ids that were looked up so far
	others int64               // tells the commits of other connections apart
}

const (
	maxKnown       = 2 << 20 // ids, which take about 20 MB
	readsPerLookUp = 8       // ids are read in the time in which one is looked up
)

// mayBeStored returns those of ids that may be stored.
func (t *tx) mayBeStored(ids []uuid.UUID) ([]uuid.UUID, error) {
	if err := t.refreshKnown(len(ids)); err != nil || t.known.hashes == nil {
		return ids, err
	}
	var known []uuid.UUID
	for _, id := range ids {
		if _, there := t.known.hashes[hashOfID(id)]; there {
			known = append(known, id)
		}
	}
	return known, nil
}

// refreshKnown reads all ids when that takes no longer than the look-ups so far.
func (t *tx) refreshKnown(asking int) error {
	k := t.known
	if !t.knownIsFresh {
		others, err := t.number("OtherCommits")
		if err != nil {
			return err
		}
		if others != k.others {
			*k = knownIDs{others: others}
		}
		t.knownIsFresh = true
	}
	if k.hashes != nil {
		return nil
	}
	if err := t.writeMessages(0); err != nil {
		return err
	}
	k.asked += asking
	messages, err := t.number("LastMessage")
	if err != nil {
		return err
	}
	conversations, err := t.number("LastConversation")
	if all := messages + conversations; err != nil || all > min(maxKnown, int64(k.asked)*readsPerLookUp) {
		return err
	}
	hashes := make(map[uint32]struct{}, messages+conversations)
	add := func(r row) error {
		hashes[hashOfID(r.id(0))] = struct{}{}
		return nil
	}
	if err := t.each("MessageIDs", nil, add); err != nil {
		return err
	}
	if err := t.each("ConversationIDs", []any{""}, add); err != nil {
		return err
	}
	k.hashes = hashes
	return nil
}

// add adds the id of what is going to be stored.
func (k *knownIDs) add(id uuid.UUID) {
	switch {
	case k.hashes == nil:
	case len(k.hashes) < maxKnown:
		k.hashes[hashOfID(id)] = struct{}{}
	default:
		*k = knownIDs{others: k.others}
	}
}

// hashOfID mixes the whole id: those of an export may begin alike.
func hashOfID(id uuid.UUID) uint32 {
	h := binary.LittleEndian.Uint64(id[:8]) ^ binary.LittleEndian.Uint64(id[8:])
	return uint32(h ^ h>>32)
}
