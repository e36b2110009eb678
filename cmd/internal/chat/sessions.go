package chat

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/datadir"
	"lens/internal/errs"
	"lens/retrieval/offline"
)

// Sessions stores conversations with the chat model: one file each, in a folder next to the archive, encrypted as the
// archive is. Each call looks up the folder and its key again, since the archive may be locked and unlocked meanwhile.
//
// Conversations, the conclusions pinned in them, and the explorer's bookmarks are files and not rows of the archive.
// They belong to one user of this machine, even if the archive is on a server that others read; they can be saved while
// another process writes to the archive; and each is replaced as a whole.
type Sessions struct {
	home func() (datadir.Home, error)
	name string // of the folder
}

// NewSessions returns the conversations in a folder of home, which has the name of the explorer's state file with
// another first word.
func NewSessions(home func() (datadir.Home, error), stateFile string) *Sessions {
	name, _ := strings.CutPrefix(strings.TrimSuffix(stateFile, ".json"), "explorer")
	return &Sessions{home, datadir.ChatsFolder + name}
}

// file returns the name of the file of one conversation.
func (s *Sessions) file(id string) string { return filepath.Join(s.name, id+".json") }

// Load returns the saved conversations in no particular order. It skips files that are unreadable or not a
// conversation.
func (s *Sessions) Load() ([]agent.Session, error) {
	h, err := s.home()
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(h.Path(s.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "load chats", Message: "cannot read the saved chats",
			Hint: "check the permissions of " + h.Path(s.name), Err: err,
		}
	}
	var all []agent.Session
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".json")
		var one agent.Session
		if ok && h.Load(s.file(id), &one) && one.ID == id {
			all = append(all, one)
		}
	}
	return all, nil
}

// Save saves a conversation atomically. Errors: invalid for an ID that is not a UUID, locked, those of the file system.
func (s *Sessions) Save(one agent.Session) error {
	id, err := uuid.Parse(one.ID)
	if err != nil || id.String() != one.ID {
		return &errs.Error{Code: errs.Invalid, Op: "save chat", Message: "the conversation ID is not a UUID"}
	}
	h, err := s.home()
	if err != nil {
		return err
	}
	if _, err := os.Stat(h.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil // without an archive there is nothing to save
	}
	if err := os.MkdirAll(h.Path(s.name), 0o700); err != nil {
		return err
	}
	return h.Save(s.file(one.ID), one)
}

// Forget removes the conversations that cite a turn for which isGone is true: their answers repeat its content.
func (s *Sessions) Forget(isGone func(turnID string) bool) error {
	all, err := s.Load()
	if err != nil {
		return err
	}
	h, err := s.home()
	if err != nil {
		return err
	}
	for _, one := range all {
		cites := slices.ContainsFunc(one.Exchanges, func(e agent.Exchange) bool {
			return slices.ContainsFunc(e.Turns(), isGone)
		})
		if cites {
			err = errors.Join(err, h.Remove(s.file(one.ID)))
		}
	}
	return err
}

// Clear removes all conversations.
func (s *Sessions) Clear() error {
	h, err := s.home()
	if err != nil {
		return err
	}
	return os.RemoveAll(h.Path(s.name))
}

// Conclusions implements offline.ConclusionReader: it returns the answers that the user pinned.
func (s *Sessions) Conclusions(context.Context) ([]offline.Conclusion, error) {
	all, err := s.Load()
	if err != nil {
		return nil, err
	}
	var pinned []offline.Conclusion
	for _, one := range all {
		for _, e := range one.Exchanges {
			if e.Conclusion && e.Answer != "" {
				pinned = append(pinned, conclusionOf(e))
			}
		}
	}
	return pinned, nil
}

func conclusionOf(e agent.Exchange) offline.Conclusion {
	c := offline.Conclusion{Text: e.Answer, At: e.Asked}
	for _, cited := range e.Citations {
		id, err := uuid.Parse(cited.TurnID)
		if err != nil {
			continue // the file was edited by hand
		}
		c.Turns, c.Numbers = append(c.Turns, id), append(c.Numbers, cited.N)
	}
	return c
}
