package ingest

import (
	"iter"

	"github.com/google/uuid"

	"lens/store/ingest/chat"
)

// overlap says which conversations of a file its receipt counts, and which it left to files before it. So the receipt
// holds only in the company of such files.
type overlap struct {
	Counted idList `json:"counted,omitempty"`
	Left    idList `json:"left,omitempty"`

	DerivedKeys map[uuid.UUID][]uint64 `json:"derived_keys,omitempty"` // of what it counts that derives from each
}

// add adds a conversation. Chunks are not followed: there may be millions.
func (o *overlap) add(p *chat.Parsed, r *repeats) {
	if p.Source.Chunked() {
		return
	}
	if r.conversation {
		o.Left = append(o.Left, p.ID[:]...)
	} else {
		o.Counted = append(o.Counted, p.ID[:]...)
	}
	for i := range p.Derived {
		if r.derived != nil && r.derived[i] {
			continue
		}
		if o.DerivedKeys == nil {
			o.DerivedKeys = map[uuid.UUID][]uint64{}
		}
		o.DerivedKeys[p.ID] = append(o.DerivedKeys[p.ID], derivedKey(&p.Derived[i]))
	}
}

// holds reports whether the receipt counts what it would if the file were read behind files with the conversations in
// seen.
func (o *overlap) holds(seen map[uuid.UUID]bool) bool {
	own := map[uuid.UUID]bool{}
	for id := range o.Counted.all() {
		if seen[id] {
			return false
		}
		own[id] = true
	}
	for id := range o.Left.all() {
		if !seen[id] && !own[id] {
			return false
		}
	}
	return true
}

// idList has ids one behind the other, which takes half as much of JSON as a list of them.
type idList []byte

func (l idList) all() iter.Seq[uuid.UUID] {
	return func(yield func(uuid.UUID) bool) {
		for rest := l; len(rest) >= len(uuid.Nil); rest = rest[len(uuid.Nil):] {
			if !yield(uuid.UUID(rest[:len(uuid.Nil)])) {
				return
			}
		}
	}
}
