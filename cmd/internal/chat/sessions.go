package chat

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/datadir"
	"lens/internal/errs"
	"lens/retrieval/offline"
	"lens/store"
)

// Sessions stores conversations with the chat model, in a database next to the archive, encrypted as the archive is.
// Each call opens it again, since the archive may be locked, unlocked and moved meanwhile. It is safe for concurrent
// use, also by several processes.
//
// Conversations, the conclusions pinned in them, and the explorer's bookmarks are not in the archive. They belong to
// one user of this machine, even if the archive is on a server that others read; and they can be saved while another
// process writes to the archive.
//
// A question is stored before its answer. Until that is complete, the exchange names the process that answers, so that
// every process can tell whether the answer is still to come.
type Sessions struct {
	// Gone returns those of turns that are not in the archive; nil: all of them are.
	Gone func(ctx context.Context, turns []uuid.UUID) ([]uuid.UUID, error)

	folder   *datadir.Folder
	database string // the name of the database
	older    string // the folder in which an older Lens kept one file for each; see takeOver

	mu    sync.Mutex
	taken string // the state of older in which there is nothing left to take over
}

// NewSessions returns the conversations in a database of a folder, beside the explorer's state file of its archive.
func NewSessions(folder *datadir.Folder, stateFile string) *Sessions {
	names := datadir.BesideOf(stateFile)
	return &Sessions{folder: folder, database: names.Sessions(), older: names.Chats()}
}

// List returns a page of conversations. It reads no other ones.
func (s *Sessions) List(ctx context.Context, page agent.SessionPage) ([]agent.SessionSummary, error) {
	selected := store.SessionPage{Archived: page.Archived, Pinned: page.Pinned, Limit: page.Limit}
	if page.After != nil {
		id, err := parseID(page.After.ID)
		if err != nil {
			return nil, err
		}
		selected.After = &store.Session{ID: id, Updated: page.After.Updated}
	}
	var found []store.Session
	err := s.read(ctx, func(db store.Sessions) (err error) {
		found, err = db.List(ctx, selected)
		return err
	})
	all := make([]agent.SessionSummary, len(found))
	for i, one := range found {
		all[i] = agent.SessionSummary{
			ID: one.ID.String(), Name: one.Name, Created: one.Created, Updated: one.Updated, Pinned: one.Pinned,
			Archived: one.Archived, Exchanges: one.Exchanges, Conclusions: one.Conclusions,
		}
	}
	return all, err
}

// listedAtOnce is how many conversations All reads at a time.
const listedAtOnce = 500

// All yields all conversations, each once: first those that are not archived, then the others, by descending time of
// their last change. One that changes meanwhile comes later.
func (s *Sessions) All(ctx context.Context) iter.Seq2[agent.SessionSummary, error] {
	return s.all(ctx, listedAtOnce)
}

// all lists until there is nothing new, since a conversation that changes leaves the pages that are still to be read.
func (s *Sessions) all(ctx context.Context, atOnce int) iter.Seq2[agent.SessionSummary, error] {
	return func(yield func(agent.SessionSummary, error) bool) {
		seen := map[string]bool{}
		for more := true; more; {
			more = false
			for _, archived := range []bool{false, true} {
				page := agent.SessionPage{Archived: archived, Limit: atOnce}
				for one, err := range s.listed(ctx, page) {
					if seen[one.ID] {
						continue
					}
					if !yield(one, err) || err != nil {
						return
					}
					seen[one.ID], more = true, true
				}
			}
		}
	}
}

// listed yields the conversations of a page and of those after it.
func (s *Sessions) listed(ctx context.Context, page agent.SessionPage) iter.Seq2[agent.SessionSummary, error] {
	return func(yield func(agent.SessionSummary, error) bool) {
		for {
			some, err := s.List(ctx, page)
			if err != nil {
				yield(agent.SessionSummary{}, err)
				return
			}
			for _, one := range some {
				if !yield(one, nil) {
					return
				}
			}
			if len(some) < page.Limit {
				return
			}
			page.After = &some[len(some)-1]
		}
	}
}

// Session returns a conversation. Errors: invalid for an ID that is not a UUID, not_found, locked.
func (s *Sessions) Session(ctx context.Context, id string) (one agent.Session, err error) {
	key, err := parseID(id)
	if err != nil {
		return one, err
	}
	found := false
	err = s.read(ctx, func(db store.Sessions) error {
		row, err := db.Session(ctx, key)
		if err == nil {
			found = true
			one, err = s.decode(row)
		}
		return err
	})
	if err == nil && !found {
		err = errUnknown()
	}
	return one, err
}

// Save inserts or replaces a conversation. Errors: invalid for an ID that is not a UUID, locked, unavailable.
func (s *Sessions) Save(ctx context.Context, one agent.Session) error {
	key, err := parseID(one.ID)
	if err != nil {
		return err
	}
	return s.update(ctx, true, func(tx store.SessionsTx) error {
		was, err := tx.Session(ctx, key)
		if err != nil && errs.CodeOf(err) != errs.NotFound {
			return err
		}
		if one, err = s.withoutForgotten(ctx, one, was); err == nil {
			_, err = s.put(ctx, tx, was, one)
		}
		return err
	})
}

// Change edits a conversation and returns it. No other change comes between reading and saving it, also none by another
// process. Errors: as Session.
func (s *Sessions) Change(ctx context.Context, id string, how func(*agent.Session)) (one agent.Session, err error) {
	key, err := parseID(id)
	if err != nil {
		return one, err
	}
	err = s.update(ctx, false, func(tx store.SessionsTx) error {
		was, err := tx.Session(ctx, key)
		if err != nil {
			return err
		}
		if one, err = s.decode(was); err != nil {
			return err
		}
		how(&one)
		if one, err = s.withoutForgotten(ctx, one, was); err == nil {
			one, err = s.put(ctx, tx, was, one)
		}
		return err
	})
	if errs.CodeOf(err) == errs.NotFound {
		err = errUnknown() // also without any conversation
	}
	return one, err
}

// Forget removes the conversations that cite a turn for which isGone is true, because their answers repeat its content,
// and returns how many there were. It reads their citations, not the conversations.
func (s *Sessions) Forget(isGone func(turnID uuid.UUID) bool) (removed int, err error) {
	ctx := context.Background() // what is forgotten in the archive must be forgotten here
	// In one transaction: a session that is saved later is checked by withoutForgotten.
	err = s.update(ctx, false, func(tx store.SessionsTx) error {
		cited, err := tx.CitedTurns(ctx)
		if err == nil {
			removed, err = tx.RemoveCiting(ctx, slices.DeleteFunc(cited, func(id uuid.UUID) bool { return !isGone(id) }))
		}
		return err
	})
	if errs.CodeOf(err) == errs.NotFound {
		err = nil
	}
	return removed, err
}

// Clear removes all conversations, and returns how many there were.
func (s *Sessions) Clear() (removed int, err error) {
	ctx := context.Background()
	err = s.update(ctx, false, func(tx store.SessionsTx) (err error) {
		removed, err = tx.Clear(ctx)
		return err
	})
	if errs.CodeOf(err) == errs.NotFound {
		err = nil
	}
	return removed, errors.Join(err, s.folder.With(func(h datadir.Home) error { return os.RemoveAll(h.Path(s.older)) }))
}

// Conclusions implements offline.ConclusionReader: it returns the answers that the user pinned. It reads no other
// conversations.
func (s *Sessions) Conclusions(ctx context.Context) (pinned []offline.Conclusion, err error) {
	err = s.read(ctx, func(db store.Sessions) error {
		found, err := db.Concluded(ctx)
		if err != nil {
			return err
		}
		for _, row := range found {
			one, err := s.decode(row)
			if err != nil {
				return err
			}
			for _, e := range one.Exchanges {
				if e.Conclusion && e.Answer != "" {
					pinned = append(pinned, conclusionOf(e))
				}
			}
		}
		return nil
	})
	return pinned, err
}

func conclusionOf(e agent.Exchange) offline.Conclusion {
	c := offline.Conclusion{Text: e.Answer, At: e.Asked}
	for _, cited := range e.Citations {
		id, err := uuid.Parse(cited.TurnID)
		if err != nil {
			continue // the session was edited by hand
		}
		c.Turns, c.Numbers = append(c.Turns, id), append(c.Numbers, cited.N)
	}
	return c
}

// read calls do with the database, and not at all if there is none.
func (s *Sessions) read(ctx context.Context, do func(store.Sessions) error) error {
	return s.folder.With(func(h datadir.Home) error {
		db, err := s.open(ctx, h, false)
		if errs.CodeOf(err) == errs.NotFound {
			return nil
		}
		return use(db, err, do)
	})
}

// update calls do in a write transaction. Without create, it returns not_found if there is no database.
func (s *Sessions) update(ctx context.Context, create bool, do func(store.SessionsTx) error) error {
	return s.folder.With(func(h datadir.Home) error {
		if _, err := os.Stat(h.Dir); create && errors.Is(err, fs.ErrNotExist) {
			return &errs.Error{
				Code: errs.Unavailable, Op: "save chat", Message: "there is no archive in " + h.Dir,
				Hint: "run lens import PATH to import your chats",
			}
		}
		db, err := s.open(ctx, h, create)
		return use(db, err, func(db store.Sessions) error { return db.Update(ctx, do) })
	})
}

// open opens the database, after taking over what an older Lens saved.
func (s *Sessions) open(ctx context.Context, h datadir.Home, create bool) (store.Sessions, error) {
	if err := s.takeOver(ctx, h); err != nil {
		return nil, err
	}
	return h.OpenSessions(ctx, s.database, create)
}

// use calls do with a database that was opened, and closes it.
func use(db store.Sessions, err error, do func(store.Sessions) error) error {
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

// put saves a conversation in the place of was, and returns it as saved.
func (s *Sessions) put(
	ctx context.Context, tx store.SessionsTx, was store.Session, one agent.Session,
) (agent.Session, error) {
	one.Created, one.Updated = one.Created.UTC().Truncate(precision), one.Updated.UTC().Truncate(precision)
	row, err := s.encode(one, was)
	if err != nil {
		return one, err
	}
	return one, tx.Put(ctx, row)
}

func parseID(id string) (uuid.UUID, error) {
	key, err := uuid.Parse(id)
	if err != nil || key.String() != id {
		return uuid.Nil, &errs.Error{Code: errs.Invalid, Op: "chats", Message: "the session ID is not a UUID"}
	}
	return key, nil
}

func errUnknown() error {
	return &errs.Error{
		Code: errs.NotFound, Op: "chats", Message: "no session has this ID", Hint: "it may have been forgotten",
	}
}
