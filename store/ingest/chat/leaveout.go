package chat

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

// Forgotten is the reason why forgotten conversations, and the messages of forgotten turns, are skipped.
const Forgotten = "forgotten"

// Reasons for skipping entries without which an archive is whole.
const (
	Supplied = "supplied by the service"           // such as a project that every account begins with
	Empty    = "no text"                           // such as a project with neither instructions nor files
	NotKept  = "of a kind that Lens does not keep" // such as a task
)

// leaveOutTurns takes the turns and answers with these ids, and what hangs on them, out of a conversation's messages:
// parents before children, as in store.Conversation. A turn goes with all its answers, an answer without its question.
// Hidden messages, such as tool calls, go with the turn that they follow. What follows them hangs on the nearest
// message that stays. It returns the messages that stay, and the ids of the others; c itself is unchanged.
func leaveOutTurns(c *store.Conversation, gone map[uuid.UUID]bool) (kept []store.Message, left []uuid.UUID) {
	turns, replies := maps.Clone(gone), map[uuid.UUID]bool{}
	for turn, a := range Answers(c) {
		switch {
		case gone[store.TurnID(a.User)]:
			turns[turn] = true
		case gone[a.ID()]:
			replies[turn] = true
		}
	}
	above := map[uuid.UUID]uuid.UUID{} // the nearest message that stays, of each that goes
	for _, m := range c.Messages {
		parent, follows := above[m.Parent]
		if follows {
			m.Parent = parent
		}
		if turns[m.Turn] || replies[m.Turn] && m.Role == store.Assistant || m.Turn == uuid.Nil && follows ||
			CanOpen(&m) && gone[store.TurnID(m.ID)] {
			above[m.ID] = m.Parent
			left = append(left, m.ID)
			continue
		}
		kept = append(kept, m)
	}
	return kept, left
}

// LeaveOut takes turns out of p, and counts their messages as skipped.
func (p *Parsed) LeaveOut(gone map[uuid.UUID]bool) {
	before := len(p.Messages)
	p.Conversation = *Without(&p.Conversation, gone)
	left := before - len(p.Messages)
	p.Count.Messages -= left
	p.Count.Skipped = maps.Clone(p.Count.Skipped)
	if left > 0 {
		p.Count.skip(Forgotten, left)
	}
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
