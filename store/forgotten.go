package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"slices"

	"github.com/google/uuid"
)

// Forgotten is the conversations and turns that were forgotten, so that another import leaves them out. It holds no
// ids, only hashes under a key of its own, which mean nothing without the archive. The zero value is ready to use.
type Forgotten struct {
	Key    []byte            // 32 random bytes; nil: nothing was ever forgotten
	Hashes map[Hash]struct{} // HMAC-SHA-256 of ids of conversations and turns, cut to 16 bytes
}

// Has reports whether a conversation or turn was forgotten.
func (f *Forgotten) Has(id uuid.UUID) bool {
	if len(f.Hashes) == 0 {
		return false
	}
	_, has := f.Hashes[f.hash(id)]
	return has
}

// Add adds conversations or turns.
func (f *Forgotten) Add(ids ...uuid.UUID) {
	if f.Key == nil {
		f.Key = make([]byte, sha256.Size)
		_, _ = rand.Read(f.Key) // documented never to fail
	}
	if f.Hashes == nil {
		f.Hashes = make(map[Hash]struct{}, len(ids))
	}
	for _, id := range ids {
		f.Hashes[f.hash(id)] = struct{}{}
	}
}

// Remove removes a conversation or turn, and reports whether it was there.
func (f *Forgotten) Remove(id uuid.UUID) bool {
	if !f.Has(id) {
		return false
	}
	delete(f.Hashes, f.hash(id))
	return true
}

// Sorted returns the hashes in ascending order, so that equal lists are stored alike.
func (f *Forgotten) Sorted() []Hash {
	hashes := make([]Hash, 0, len(f.Hashes))
	for h := range f.Hashes {
		hashes = append(hashes, h)
	}
	slices.SortFunc(hashes, func(a, b Hash) int { return slices.Compare(a[:], b[:]) })
	return hashes
}

func (f *Forgotten) hash(id uuid.UUID) (h Hash) {
	mac := hmac.New(sha256.New, f.Key)
	mac.Write(id[:])
	copy(h[:], mac.Sum(nil))
	return h
}
