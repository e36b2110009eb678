package chat

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// turnMaker makes the turns of a conversation from its messages alone.
type turnMaker struct {
	*store.Conversation
	above      []int32 // for each message, the index of its parent, or none
	hash       *hasher
	textHashes []store.Hash // for each message, the hash of its text
	newest     []int32      // for each message, its newest child, or none; nil: not needed so far
	asker      []int32      // for each message, the visible user message at or above it, or none; nil: not needed so far
	times      []time.Time  // of each message, else of its nearest dated ancestor; nil: not needed so far

	replies []string // assistant texts of the open turn
}

func newTurnMaker(c *store.Conversation, above []int32, h *hasher) *turnMaker {
	return &turnMaker{Conversation: c, above: above, hash: h}
}

// MakeTurns makes the turns of a conversation again from its messages, parents before children, as Build does. It sets
// the turn and the Seq of each message.
func MakeTurns(c *store.Conversation) {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	index := make(map[uuid.UUID]int32, len(c.Messages))
	above := make([]int32, len(c.Messages))
	for i := range c.Messages {
		m := &c.Messages[i]
		above[i] = none
		if parent, ok := index[m.Parent]; ok {
			above[i] = parent
		}
		index[m.ID] = int32(i)
		m.Seq, m.Turn = i, uuid.Nil
	}
	c.Turns = nil
	newTurnMaker(c, above, h).make()
}

// make builds the turns of the active path, then those off it, by following the newest child: of each user message with
// its answer, and of each other answer. A message has one parent, so none belongs to two turns.
func (t *turnMaker) make() {
	t.hashTexts()
	questions := 0
	for i := range t.Messages {
		if m := &t.Messages[i]; m.Visible && m.Role == store.User {
			questions++
		}
	}
	t.Turns = make([]store.Turn, 0, questions) // nearly always as many
	open := none
	for i := range t.Messages {
		switch m := &t.Messages[i]; {
		case !m.OnPath || !m.Visible:
		case m.Role == store.User:
			t.close(open)
			open = t.open(i)
		case m.Role == store.Assistant:
			if open == none { // an answer without a question: a greeting, or a chat whose beginning is missing
				open = t.open(i)
			}
			t.addReply(open, m)
		}
	}
	t.close(open)
	for i := range t.Messages {
		switch m := &t.Messages[i]; {
		case m.OnPath || !m.Visible || m.Turn != uuid.Nil:
		case m.Role == store.User:
			t.complete(t.open(i), i)
		case m.Role == store.Assistant:
			turn := t.openAnswer(i)
			t.addReply(turn, m)
			t.complete(turn, i)
		}
	}
}

// complete adds what answers below a message, off the path, to its turn and closes it.
func (t *turnMaker) complete(turn int32, message int) {
	t.findNewest()
	for i := t.newest[message]; i != none; i = t.newest[i] {
		m := &t.Messages[i]
		if !m.Visible {
			continue
		}
		if m.Role == store.User {
			break
		}
		if m.Role == store.Assistant {
			t.addReply(turn, m)
		}
	}
	t.close(turn)
}

// openAnswer adds the turn of an answer that was not chosen, which begins with a message. Without a user message above
// it is one without a question.
func (t *turnMaker) openAnswer(first int) int32 {
	t.findAskers()
	if t.asker[first] == none {
		return t.open(first)
	}
	turn := t.open(int(t.asker[first]))
	added := &t.Turns[turn]
	added.ID, added.OnPath = store.AnswerID(added.UserMessage, t.Messages[first].ID), false
	return turn
}

func (t *turnMaker) findAskers() {
	if t.asker != nil {
		return
	}
	t.asker = make([]int32, len(t.Messages))
	for i := range t.Messages {
		m := &t.Messages[i]
		switch above := t.above[i]; {
		case m.Visible && m.Role == store.User:
			t.asker[i] = int32(i)
		case above == none:
			t.asker[i] = none
		default:
			t.asker[i] = t.asker[above]
		}
	}
}

// findNewest finds the child of each message with the latest time; the last one when times are equal or unknown.
func (t *turnMaker) findNewest() {
	if t.newest != nil {
		return
	}
	t.findTimes()
	t.newest = make([]int32, len(t.Messages))
	for i := range t.newest {
		t.newest[i] = none
	}
	for i, p := range t.above {
		if p != none && (t.newest[p] == none || !t.times[i].Before(t.times[t.newest[p]])) {
			t.newest[p] = int32(i)
		}
	}
}

func (t *turnMaker) findTimes() {
	if t.times != nil {
		return
	}
	t.times = make([]time.Time, len(t.Messages))
	for i := range t.Messages {
		if t.times[i] = t.Messages[i].Time; t.times[i].IsZero() && t.above[i] != none {
			t.times[i] = t.times[t.above[i]]
		}
	}
}

func (t *turnMaker) hashTexts() {
	t.textHashes = make([]store.Hash, len(t.Messages))
	for i := range t.Messages {
		t.hash.string(t.Messages[i].Text)
		t.textHashes[i] = t.hash.done()
	}
}

func (t *turnMaker) hashMessages() {
	for i := range t.Messages {
		m := &t.Messages[i]
		m.Hash = t.hash.message(m, t.textHashes[i])
	}
}

// open adds a turn and returns its index; close completes its hash. The opener is a user message, or an assistant
// message without a question: then the turn has no user text.
func (t *turnMaker) open(message int) int32 {
	opener := &t.Messages[message]
	when, source := t.turnTime(message)
	turn := store.Turn{
		ID: store.TurnID(opener.ID), Conversation: t.ID, UserMessage: opener.ID, Position: len(t.Turns),
		OnPath: opener.OnPath, Time: when, TimeSource: source, Source: t.Source,
	}
	opener.Turn, t.replies = turn.ID, t.replies[:0]
	if opener.Role == store.User {
		turn.UserText, turn.CodeType = opener.Text, opener.ContentType == store.CodeType
		t.hash.hash(t.textHashes[message])
	}
	t.Turns = append(t.Turns, turn)
	return int32(len(t.Turns) - 1)
}

// turnTime returns the opener's time, else the conversation's, else that of the nearest dated ancestor, else zero.
func (t *turnMaker) turnTime(opener int) (time.Time, store.TimeSource) {
	switch {
	case !t.Messages[opener].Time.IsZero():
		return t.Messages[opener].Time, store.FromMessage
	case !t.Created.IsZero():
		return t.Created, store.FromConversation
	case !t.Updated.IsZero():
		return t.Updated, store.FromConversation
	}
	if t.findTimes(); !t.times[opener].IsZero() {
		return t.times[opener], store.FromAncestor
	}
	return time.Time{}, store.Undated
}

func (t *turnMaker) addReply(turn int32, m *store.Message) {
	to := &t.Turns[turn]
	m.Turn, to.Assistant = to.ID, m.ID
	to.CodeType = to.CodeType || m.ContentType == store.CodeType
	t.hash.hash(t.textHashes[m.Seq])
	t.replies = append(t.replies, m.Text)
	if m.Summary != "" {
		to.Summary = m.Summary
	}
	if m.Model != "" {
		to.Model = m.Model
	}
}

// close completes a turn once all its messages are added. It ignores none.
func (t *turnMaker) close(turn int32) {
	if turn == none {
		return
	}
	to := &t.Turns[turn]
	to.AssistantText = strings.Join(t.replies, "\n\n")
	to.Embeddable = to.UserText != "" && to.AssistantText != "" && IsChosen(to)
	if to.Model == "" {
		to.Model = t.Model
	}
	t.hash.id(to.Conversation)
	t.hash.id(to.UserMessage)
	t.hash.id(to.Assistant)
	t.hash.string(to.Summary)
	t.hash.string(to.Model)
	t.hash.time(to.Time)
	t.hash.int(int(to.TimeSource))
	t.hash.bool(to.OnPath)
	t.hash.int(to.Position)
	to.Hash = t.hash.done()
}
