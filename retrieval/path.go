package retrieval

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"lens/store"
)

// Path is a conversation as one reads it: its turns from the first to the last, along the branch that a turn is on.
type Path struct {
	Conversation uuid.UUID
	Turns        []PathTurn
}

// PathTurn is a turn of a Path.
type PathTurn struct {
	TurnID  uuid.UUID
	Opening string // the beginning of its question on one line; without a question that of its answer

	// Questions are the versions of its question, in the order in which they were asked: the turn of each. It is nil if
	// the question was not edited.
	Questions []uuid.UUID
}

// At returns the place of a turn, -1 if it is not on the path.
func (p *Path) At(turn uuid.UUID) int {
	return slices.IndexFunc(p.Turns, func(t PathTurn) bool { return t.TurnID == turn })
}

// Path returns the path that a turn is on: the active one, or the branch of a turn off it, up to its newest end.
// Errors: not_found.
func (e *Engine) Path(ctx context.Context, turn uuid.UUID) (*Path, error) {
	var path *Path
	err := e.readConsistently(ctx, func(a *snapshot) error {
		turns, err := e.source.Turns(ctx, []uuid.UUID{turn})
		if err != nil {
			return err
		}
		messages, err := e.source.Messages(ctx, turns[0].Conversation)
		if err != nil {
			return err
		}
		tree := newTurnTree(messages)
		path = &Path{Conversation: turns[0].Conversation}
		for _, id := range tree.through(turn, a.activePath(turns[0].Ord)) {
			path.Turns = append(path.Turns, PathTurn{id, tree.opening[id], tree.questions(id)})
		}
		return nil
	})
	return path, err
}

// FindIn returns the turns of a conversation, on any branch, of which a text that is read holds what matches.
func (e *Engine) FindIn(ctx context.Context, conversation uuid.UUID, wanted *regexp.Regexp) ([]uuid.UUID, error) {
	messages, err := e.source.Messages(ctx, conversation)
	if err != nil {
		return nil, err
	}
	var found []uuid.UUID
	for i := range messages {
		if m := &messages[i]; isRead(m) && !slices.Contains(found, m.Turn) && wanted.MatchString(m.Text) {
			found = append(found, m.Turn)
		}
	}
	return found, nil
}

// isRead reports whether a message is part of the text of a turn.
func isRead(m *store.Message) bool {
	return m.Turn != uuid.Nil && (m.Role == store.User || m.Role == store.Assistant && m.Visible)
}

// activePath returns the turns on the active path of the conversation that a turn is in.
func (a *snapshot) activePath(of store.Ord) []uuid.UUID {
	row, alive := a.Row(of)
	if !alive {
		return nil
	}
	conversation := a.Catalog.Conversation[row]
	first := int32(-1)
	for row, c := range a.Catalog.Conversation {
		if c == conversation && a.isOnPath(row) && a.Prev[row] < 0 {
			first = int32(row)
			break
		}
	}
	var path []uuid.UUID
	for row := first; row >= 0; row = a.Next[row] {
		path = append(path, a.ID[row])
	}
	return path
}

// turnTree has the turns of a conversation with all branches. A turn follows the one that its question replies to.
type turnTree struct {
	parent   map[uuid.UUID]uuid.UUID // uuid.Nil: it begins the conversation
	question map[uuid.UUID]uuid.UUID // the user message of a turn, uuid.Nil for none
	opening  map[uuid.UUID]string
	replies  map[uuid.UUID][]uuid.UUID // the turns that follow one, in the order of their messages
	active   map[uuid.UUID]bool        // on the active path
}

func newTurnTree(messages []store.Message) *turnTree {
	t := &turnTree{
		parent: map[uuid.UUID]uuid.UUID{}, question: map[uuid.UUID]uuid.UUID{}, opening: map[uuid.UUID]string{},
		replies: map[uuid.UUID][]uuid.UUID{}, active: map[uuid.UUID]bool{},
	}
	byID := make(map[uuid.UUID]*store.Message, len(messages))
	for i := range messages {
		m := &messages[i]
		byID[m.ID] = m
		if _, known := t.parent[m.Turn]; known || !isRead(m) {
			continue
		}
		asked := m
		for asked != nil && asked.Role != store.User { // the question of another answer belongs to another turn
			asked = byID[asked.Parent]
		}
		opens := m
		if asked != nil && asked.Turn != uuid.Nil {
			opens, t.question[m.Turn] = asked, asked.ID
		}
		t.opening[m.Turn] = opening(opens.Text)
		t.active[m.Turn] = m.OnPath
		parent := turnBefore(opens, byID, m.Turn)
		t.parent[m.Turn], t.replies[parent] = parent, append(t.replies[parent], m.Turn)
	}
	return t
}

// turnBefore returns the turn of the nearest message above one that belongs to another turn, uuid.Nil for none.
func turnBefore(m *store.Message, byID map[uuid.UUID]*store.Message, turn uuid.UUID) uuid.UUID {
	own := m.Turn
	for up := byID[m.Parent]; up != nil; up = byID[up.Parent] {
		if up.Turn != uuid.Nil && up.Turn != turn && up.Turn != own {
			return up.Turn
		}
	}
	return uuid.Nil
}

// through returns the turns on the way through a turn, where active is the active path.
func (t *turnTree) through(turn uuid.UUID, active []uuid.UUID) []uuid.UUID {
	if slices.Contains(active, turn) {
		return active
	}
	var way []uuid.UUID
	for at := turn; at != uuid.Nil && len(way) <= len(t.parent); at = t.parent[at] {
		if joins := slices.Index(active, at); joins >= 0 {
			slices.Reverse(way)
			way = append(slices.Clone(active[:joins+1]), way...)
			return append(way, t.after(turn)...)
		}
		way = append(way, at)
	}
	slices.Reverse(way)
	return append(way, t.after(turn)...)
}

// after returns the newest turns that follow one.
func (t *turnTree) after(turn uuid.UUID) (way []uuid.UUID) {
	for replies := t.replies[turn]; len(replies) > 0; replies = t.replies[way[len(way)-1]] {
		way = append(way, replies[len(replies)-1])
	}
	return way
}

// questions returns the versions of the question of a turn: those that replied to the same turn. Of them at most one is
// on the active path, else they follow each other in a source without a tree.
func (t *turnTree) questions(turn uuid.UUID) (versions []uuid.UUID) {
	if t.question[turn] == uuid.Nil {
		return nil
	}
	seen, active := map[uuid.UUID]bool{}, 0
	for _, id := range t.replies[t.parent[turn]] {
		asked := t.question[id]
		if asked == uuid.Nil || seen[asked] {
			continue
		}
		seen[asked] = true
		if t.active[id] {
			active++
		}
		if asked == t.question[turn] { // also by another of its answers
			id = turn
		}
		versions = append(versions, id)
	}
	if len(versions) < 2 || active > 1 {
		return nil
	}
	return versions
}

// openingBytes is how much of a question an outline has at most.
const openingBytes = 160

// opening returns the beginning of a text on one line.
func opening(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 2*openingBytes {
		text = text[:2*openingBytes]
	}
	line := strings.Join(strings.Fields(text), " ")
	if len(line) <= openingBytes {
		return strings.ToValidUTF8(line, "")
	}
	end := openingBytes
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end]
}
