package chat

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lens/agent"
	"lens/cmd/internal/datadir"
	"lens/internal/errs"
	"lens/store"
)

// An older Lens kept a file for each conversation. They are taken over whenever there are some, because it may run
// again.

// batchSize is the number of files that are taken over in one transaction, for which others wait.
const batchSize = 500

// takeOver moves the conversations that an older Lens saved into the database. A file is read within the transaction
// and removed after it. So it is never taken over again once the conversation was forgotten, and a process that is
// killed loses none. What is not a conversation stays.
func (s *Sessions) takeOver(ctx context.Context, h datadir.Home) error {
	dir := h.Path(s.older)
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return errOlder(dir, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	state := dir + info.ModTime().String()
	if s.taken == state {
		return nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return errOlder(dir, err)
	}
	var names []string
	for _, f := range files {
		if id, ok := strings.CutSuffix(f.Name(), ".json"); ok && isID(id) {
			names = append(names, filepath.Join(s.older, f.Name()))
		}
	}
	if len(names) == 0 {
		s.taken = state
		return nil
	}
	taken, err := s.takeOverFiles(ctx, h, names)
	if err == nil && taken == 0 {
		s.taken = state
	}
	_ = os.Remove(dir) // unless something is left
	return err
}

func isID(text string) bool {
	_, err := parseID(text)
	return err == nil
}

// takeOverFiles returns how many files it has taken over.
func (s *Sessions) takeOverFiles(ctx context.Context, h datadir.Home, names []string) (n int, err error) {
	db, err := h.OpenSessions(ctx, s.database, true)
	err = use(db, err, func(db store.Sessions) error {
		for batch := range slices.Chunk(names, batchSize) {
			var taken []string
			err := db.Update(ctx, func(tx store.SessionsTx) (err error) {
				taken, err = s.takeOverBatch(ctx, h, tx, batch)
				return err
			})
			if err != nil {
				return err
			}
			for _, name := range taken {
				if err := h.Remove(name); err != nil {
					return errOlder(h.Path(name), err)
				}
			}
			n += len(taken)
		}
		return nil
	})
	return n, err
}

// takeOverBatch returns the names of the files whose conversations are in the database.
func (s *Sessions) takeOverBatch(
	ctx context.Context, h datadir.Home, tx store.SessionsTx, names []string,
) (taken []string, err error) {
	for _, name := range names {
		one, ok := olderSession(h, name)
		if !ok {
			continue
		}
		id, err := parseID(one.ID)
		if err != nil {
			return nil, err
		}
		was, err := tx.Session(ctx, id)
		switch {
		case errs.CodeOf(err) == errs.NotFound, err == nil && was.Updated.Before(one.Updated.Truncate(precision)):
			_, err = s.put(ctx, tx, was, one)
		}
		if err != nil {
			return nil, err
		}
		taken = append(taken, name)
	}
	return taken, nil
}

// olderSession reads a file. It reports false for one that is gone, unreadable or not a conversation.
func olderSession(h datadir.Home, name string) (one agent.Session, ok bool) {
	text, err := h.Read(name)
	if err != nil || json.Unmarshal(text, &one) != nil {
		return one, false
	}
	return one, one.ID == strings.TrimSuffix(filepath.Base(name), ".json")
}

func errOlder(path string, err error) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "load chats", Message: "cannot take over the saved chats of an older Lens",
		Hint: "check the permissions of " + path, Err: err,
	}
}
