package chat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

// Before orders the versions of a conversation: by update time, an unknown one first, then by hash. The last is the
// newest.
func Before(a, b *store.Conversation) int {
	return cmp.Or(a.Updated.Compare(b.Updated), bytes.Compare(a.Hash[:], b.Hash[:]))
}

// Fold returns what an archive shows of versions of one conversation, in the order of Before: the messages of all of
// them, each as the newest version has it that has it at all; path, title and times of the newest version. Its messages
// come first, in its order; the others leave the path and follow by time, parents before children. Their hashes are
// zero. A message keeps the texts that older versions have of it in its Raw.
//
// A turn, too, is as the newest version has it that has it at all: it may have been cited. Where a message of it is
// otherwise now, it has a copy. An answer that was chosen in an older version, where the newest chose another or has it
// no longer, is a turn of its own.
func Fold(versions []*store.Conversation) *store.Conversation {
	newest := versions[len(versions)-1]
	f := fold{
		folded: *newest, version: map[uuid.UUID]*store.Conversation{},
		turns: map[uuid.UUID]bool{}, answers: map[uuid.UUID]bool{},
	}
	f.folded.Messages, f.folded.Turns = slices.Clone(newest.Messages), slices.Clone(newest.Turns)
	for i := range newest.Messages {
		f.version[newest.Messages[i].ID] = newest
	}
	for i := range newest.Turns {
		f.turns[newest.Turns[i].ID] = true
	}
	for _, a := range Answers(newest) {
		f.answers[a.ID()] = true
	}
	older := versions[:len(versions)-1]
	f.addMessages(older)
	keepOlderTexts(f.folded.Messages, versions)
	for _, v := range slices.Backward(older) {
		f.addTurns(v)
	}
	for i := range f.folded.Messages {
		f.folded.Messages[i].Seq = i
	}
	return &f.folded
}

// fold is the state of Fold.
type fold struct {
	folded  store.Conversation
	version map[uuid.UUID]*store.Conversation // that a message is from
	turns   map[uuid.UUID]bool                // of folded
	answers map[uuid.UUID]bool                // of folded, by Answer.ID, also those that are chosen
}

// addMessages adds the messages that only older versions have.
func (f *fold) addMessages(older []*store.Conversation) {
	var others []store.Message
	for _, v := range slices.Backward(older) {
		for _, m := range v.Messages {
			if f.version[m.ID] == nil {
				m.OnPath, m.Turn, m.Hash, f.version[m.ID] = false, uuid.Nil, store.Hash{}, v
				others = append(others, m)
			}
		}
	}
	f.folded.Messages = append(f.folded.Messages, parentsFirst(others)...)
}

// addTurns adds the turns and answers of an older version that no newer one has.
func (f *fold) addTurns(v *store.Conversation) {
	at := make(map[uuid.UUID]int, len(f.folded.Messages))
	for i := range f.folded.Messages {
		at[f.folded.Messages[i].ID] = i
	}
	answers, added := Answers(v), map[uuid.UUID]int{} // by the turn's id in v
	for _, t := range v.Turns {
		a, answered := answers[t.ID]
		if f.turns[t.ID] && !answered || answered && f.answers[a.ID()] {
			continue
		}
		added[t.ID] = len(f.folded.Turns)
		if f.turns[t.ID] { // with another answer
			t.ID = a.ID()
		}
		if f.turns[t.ID] = true; answered {
			f.answers[a.ID()] = true
		}
		if answered && t.ID == a.ID() {
			t.Embeddable, t.UserText = false, ""
			if asked := &f.folded.Messages[at[t.UserMessage]]; asked.Role == store.User {
				t.UserText = asked.Text
			}
		}
		t.Position, t.OnPath, t.Hash = len(f.folded.Turns), false, store.Hash{}
		f.folded.Turns = append(f.folded.Turns, t)
	}
	if len(added) == 0 {
		return
	}
	for _, m := range v.Messages {
		n, ok := added[m.Turn]
		if !ok {
			continue
		}
		switch t := &f.folded.Turns[n]; {
		case t.ID != m.Turn && m.ID == t.UserMessage: // belongs to the turn with the other answer
		case f.version[m.ID] == v:
			f.folded.Messages[at[m.ID]].Turn = t.ID
		default:
			f.copy(m, t)
		}
	}
}

// copy adds a copy of a message for a turn.
func (f *fold) copy(m store.Message, t *store.Turn) {
	own := map[uuid.UUID]uuid.UUID{m.ID: OwnID(t.ID, m.ID)}
	rename(&t.UserMessage, own)
	rename(&t.Assistant, own)
	m.ID, m.Parent, m.Turn, m.OnPath, m.Hash = own[m.ID], uuid.Nil, t.ID, false, store.Hash{}
	f.folded.Messages = append(f.folded.Messages, m)
}

// parentsFirst orders messages by time, those without time first, then by id, but none before its parent.
func parentsFirst(messages []store.Message) []store.Message {
	slices.SortFunc(messages, func(a, b store.Message) int {
		return cmp.Or(a.Time.Compare(b.Time), bytes.Compare(a.ID[:], b.ID[:]))
	})
	index := make(map[uuid.UUID]int, len(messages))
	for i := range messages {
		index[messages[i].ID] = i
	}
	ordered, done := make([]store.Message, 0, len(messages)), make([]bool, len(messages))
	for i := range messages {
		var chain []int
		for at, more := i, !done[i]; more; more = more && !done[at] {
			chain, done[at] = append(chain, at), true
			at, more = index[messages[at].Parent]
		}
		for _, c := range slices.Backward(chain) {
			ordered = append(ordered, messages[c])
		}
	}
	return ordered
}

// olderTexts is the member of a message's raw JSON that has what older versions said, the oldest first.
const olderTexts = "lens_older"

// keepOlderTexts adds to the raw JSON of messages those of other versions with another text.
func keepOlderTexts(messages []store.Message, versions []*store.Conversation) {
	at := make(map[uuid.UUID]int, len(messages))
	for i := range messages {
		at[messages[i].ID] = i
	}
	older := map[int][]*store.Message{}
	for _, v := range versions {
		for i := range v.Messages {
			m := &v.Messages[i]
			to := at[m.ID]
			sameText := func(o *store.Message) bool { return o.Text == m.Text }
			if m.Text != messages[to].Text && m.Text != "" && !slices.ContainsFunc(older[to], sameText) {
				older[to] = append(older[to], m)
			}
		}
	}
	for to, texts := range older {
		messages[to].Raw = withOlder(messages[to].Raw, texts)
	}
}

// notObject is the member that has raw JSON of a message that is not an object, beside olderTexts.
const notObject = "lens_raw"

// withOlder returns raw with the JSON of older messages as one more member, as many as MaxRaw allows. JSON that is not
// an object becomes a member of one.
func withOlder(raw []byte, older []*store.Message) []byte {
	body, isObject := bytes.CutSuffix(bytes.TrimSpace(raw), []byte("}"))
	if !isObject {
		body = fmt.Appendf(nil, `{"%s":%s`, notObject, jsonOf(raw, string(raw)))
	}
	all := slices.Clone(body)
	if len(bytes.TrimSpace(body)) > len("{") {
		all = append(all, ',')
	}
	all = append(all, `"`+olderTexts+`":[`...)
	first := true
	for _, m := range older {
		one := jsonOf(m.Raw, m.Text)
		if len(all)+len(one) > MaxRaw-len(`,]}`) {
			continue
		}
		if !first {
			all = append(all, ',')
		}
		all, first = append(all, one...), false
	}
	return append(all, `]}`...)
}

// jsonOf returns raw, or the JSON of a text if that is none.
func jsonOf(raw []byte, text string) []byte {
	if json.Valid(raw) {
		return raw
	}
	quoted, err := json.Marshal(text)
	if err != nil { // strings are always written
		return []byte("null")
	}
	return quoted
}

// Adds reports whether a version contributes something beside a newer one: a message that this one lacks or has
// otherwise. Whatever is left out of both, the answer remains false.
func Adds(older, newer *store.Conversation) bool {
	if (len(older.Turns) == 0) != (len(newer.Turns) == 0) {
		return true
	}
	hashes := make(map[uuid.UUID]store.Hash, len(newer.Messages))
	for i := range newer.Messages {
		hashes[newer.Messages[i].ID] = newer.Messages[i].Hash
	}
	for i := range older.Messages {
		m := &older.Messages[i]
		if hash, there := hashes[m.ID]; !there || hash != m.Hash || hash == (store.Hash{}) {
			return true
		}
	}
	return false
}

// SameExport reports whether two versions are one that different releases of Lens read: all that comes unread from the
// file is equal.
func SameExport(a, b *store.Conversation) bool {
	return a.Source == b.Source && a.Title == b.Title && a.Model == b.Model && a.Created.Equal(b.Created) &&
		a.Updated.Equal(b.Updated) && slices.EqualFunc(a.Messages, b.Messages, func(a, b store.Message) bool {
		return a.ID == b.ID && a.Parent == b.Parent && a.OnPath == b.OnPath && a.Time.Equal(b.Time) &&
			bytes.Equal(a.Raw, b.Raw)
	})
}

// Without returns a version without the turns and answers with these ids, as the files have them, and without what
// hangs on them: c itself if it has none of them.
func Without(c *store.Conversation, gone map[uuid.UUID]bool) *store.Conversation {
	kept, left := leaveOutTurns(c, gone)
	if len(left) == 0 {
		return c
	}
	without := *c
	without.Title, without.Messages = TitleWithout(c.Title, c.Turns, gone), kept
	MakeTurns(&without)
	return &without
}

// CanOpen reports whether m opens a turn, in this version of its conversation or in another.
func CanOpen(m *store.Message) bool {
	return m.Role == store.User ||
		m.Role == store.Assistant && (!m.OnPath || m.Turn == uuid.Nil || m.Turn == store.TurnID(m.ID))
}
