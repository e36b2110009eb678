package chat

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

// Forgotten is the reason why forgotten conversations, and the messages of forgotten turns, are skipped.
const Forgotten = "forgotten"

// LeaveOutTurns takes the turns with these ids, and what hangs on them, out of a conversation's messages: parents
// before children, as in store.Conversation. Hidden messages, such as tool calls, go with the turn that they follow.
// What follows them hangs on the nearest message that stays. It returns the messages that stay, and the ids of the
// others; messages itself is unchanged.
func LeaveOutTurns(messages []store.Message, gone map[uuid.UUID]bool) (kept []store.Message, left []uuid.UUID) {
	above := map[uuid.UUID]uuid.UUID{} // the nearest message that stays, of each that goes
	for _, m := range messages {
		parent, follows := above[m.Parent]
		if follows {
			m.Parent = parent
		}
		if gone[m.Turn] || m.Turn == uuid.Nil && follows {
			above[m.ID] = m.Parent
			left = append(left, m.ID)
			continue
		}
		kept = append(kept, m)
	}
	return kept, left
}

// LeftOut is a turn that is left out of a conversation.
type LeftOut struct {
	Index int       // in Parsed.Turns
	ID    uuid.UUID // under which the archive had it
}

// LeaveOut takes turns out of p, and counts their messages as skipped.
func (p *Parsed) LeaveOut(turns []LeftOut) {
	gone := make(map[uuid.UUID]bool, len(turns))
	for _, t := range turns {
		gone[p.Turns[t.Index].ID] = true
		p.Hash = WithoutTurn(p.Hash, t.ID)
	}
	p.Title = TitleWithout(p.Title, p.Turns, gone)
	p.Turns = slices.DeleteFunc(p.Turns, func(t store.Turn) bool { return gone[t.ID] })
	kept, left := LeaveOutTurns(p.Messages, gone)
	p.Messages = kept
	p.Count.Messages -= len(left)
	p.Count.Skipped = maps.Clone(p.Count.Skipped)
	if p.Count.Skipped == nil {
		p.Count.Skipped = map[string]int{}
	}
	p.Count.Skipped[Forgotten] += len(left)
}

// TitleWithout returns the title of a conversation whose turns, in order, lose some: a title that is the first line of
// such a turn becomes that of the first turn that stays.
func TitleWithout(title string, turns []store.Turn, gone map[uuid.UUID]bool) string {
	quotes := func(t store.Turn) bool { return gone[t.ID] && firstLine(t.UserText) == title }
	if !slices.ContainsFunc(turns, quotes) {
		return title
	}
	for _, t := range turns {
		if line := firstLine(t.UserText); line != "" && !gone[t.ID] {
			return line
		}
	}
	return ""
}

// WithoutTurn returns the hash of a version of a conversation without one of its turns, from its hash with it, and the
// other way round. The order in which several turns are left out does not matter.
func WithoutTurn(h store.Hash, turn uuid.UUID) store.Hash {
	for i, b := range sha256.Sum256(turn[:]) {
		if i < len(h) {
			h[i] ^= b
		}
	}
	return h
}
