package results

import "github.com/google/uuid"

// folds puts the matches of a conversation under the best of them, so that one long chat does not fill the list.
type folds struct {
	open    map[uuid.UUID]bool // the conversations whose matches are all shown
	changes int                // how often open has changed
}

// toggle shows the other matches of a conversation, or hides them.
func (f *folds) toggle(conversation uuid.UUID) {
	if f.open == nil {
		f.open = map[uuid.UUID]bool{}
	}
	f.open[conversation] = !f.open[conversation]
	f.changes++
}

// unfold shows the other matches of a conversation.
func (f *folds) unfold(conversation uuid.UUID) {
	if !f.open[conversation] {
		f.toggle(conversation)
	}
}

// fold returns rows, the best first, with those of each conversation under its first: shown where it is open, else only
// counted.
func (f *folds) fold(rows []Row) []Row {
	of := map[uuid.UUID][]Row{}
	for _, r := range rows {
		of[r.Conversation] = append(of[r.Conversation], r)
	}
	folded := make([]Row, 0, len(of))
	for _, r := range rows {
		all := of[r.Conversation]
		if all[0].ID != r.ID {
			continue
		}
		r.More, r.Open = len(all)-1, f.open[r.Conversation]
		folded = append(folded, r)
		if r.Open {
			for _, under := range all[1:] {
				under.Under = true
				folded = append(folded, under)
			}
		}
	}
	return folded
}

// nearOnly returns the row from which on all are near in meaning only, len(rows) if the last one has words.
func nearOnly(rows []Row) int {
	at := len(rows)
	for at > 0 && !rows[at-1].Worded {
		at--
	}
	for at < len(rows) && rows[at].Under {
		at++
	}
	return at
}
