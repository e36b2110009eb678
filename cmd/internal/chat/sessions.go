package app

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
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/store"
)

// Chats stores conversations with the chat model: one file each, in a folder next to the archive, encrypted as the
// archive is. Each call looks up the folder and its key again, since the archive may be locked and unlocked meanwhile.
//
// Conversations, the conclusions pinned in them, and the explorer's bookmarks are files and not rows of the archive.
// They belong to one user of this machine, even if the archive is on a server that others read; they can be saved while
// another process writes to the archive; and each is replaced as a whole.
type Chats struct {
	home func() (keys.Home, error)
	name string // of the folder
}

// Chats returns the chats of the archive. Their folder lies next to the explorer's state file, with a matching name.
func (l *App) Chats() Chats {
	name := strings.TrimSuffix(strings.Replace(l.StateFile().Name, "explorer", keys.ChatsFolder, 1), ".json")
	return Chats{l.Folder.Home, name}
}

// file returns the name of the file of one conversation.
func (c Chats) file(id string) string { return filepath.Join(c.name, id+".json") }

// Load returns the saved conversations in no particular order. It skips files that are unreadable or not a
// conversation.
func (c Chats) Load() ([]agent.Session, error) {
	h, err := c.home()
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(h.Path(c.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "load chats", Message: "cannot read the saved chats",
			Hint: "check the permissions of " + h.Path(c.name), Err: err,
		}
	}
	var all []agent.Session
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".json")
		var s agent.Session
		if ok && h.Load(c.file(id), &s) && s.ID == id {
			all = append(all, s)
		}
	}
	return all, nil
}

// Keep saves a conversation atomically. Errors: invalid for an ID that is not a UUID, locked, those of the file system.
func (c Chats) Keep(s agent.Session) error {
	id, err := uuid.Parse(s.ID)
	if err != nil || id.String() != s.ID {
		return &errs.Error{Code: errs.Invalid, Op: "keep chat", Message: "the conversation ID is not a UUID"}
	}
	h, err := c.home()
	if err != nil {
		return err
	}
	if missing(h.Dir) {
		return nil // without an archive there is nothing to save
	}
	if err := os.MkdirAll(h.Path(c.name), 0o700); err != nil {
		return err
	}
	return h.Save(c.file(s.ID), s)
}

// forget removes the conversations that cite a turn for which isGone is true: their answers repeat its content.
func (c Chats) forget(isGone func(turnID string) bool) error {
	all, err := c.Load()
	if err != nil {
		return err
	}
	h, err := c.home()
	if err != nil {
		return err
	}
	var wrong []error
	for _, s := range all {
		cites := slices.ContainsFunc(s.Exchanges, func(e agent.Exchange) bool {
			return slices.ContainsFunc(e.Citations, func(cited agent.Citation) bool { return isGone(cited.TurnID) })
		})
		if cites {
			wrong = append(wrong, h.Remove(c.file(s.ID)))
		}
	}
	return errors.Join(wrong...)
}

// forgetChats removes the conversations with the chat model that cite turns no longer in the archive; all of them if
// everything is set.
func (l *App) forgetChats(ctx context.Context, st store.Store, everything bool) error {
	if everything {
		h, err := l.Folder.Home()
		if err != nil {
			return err
		}
		return os.RemoveAll(h.Path(l.Chats().name))
	}
	engine := retrieval.New(st, nil)
	return l.Chats().forget(func(turnID string) bool {
		_, err := engine.Turn(ctx, turnID)
		return errs.CodeOf(err) == errs.NotFound
	})
}

// ChatHost returns the host that the configured chat model receives texts on, and whether that is this machine.
func (l *App) ChatHost() (host string, local bool) {
	host = network.Hostname(l.cfg.Chat.URL())
	return host, network.IsLoopback(host)
}
