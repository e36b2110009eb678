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
	desk func() Desk // the state file next to it
}

// Chats returns the chats of the archive. Their folder lies next to the explorer's state file, with a matching name.
func (l *App) Chats() Chats { return Chats{l.Desk} }

// chatFolder is the folder of conversations, as resolved by one call.
type chatFolder struct {
	desk Desk
	name string
}

func (c Chats) folder() chatFolder {
	desk := c.desk()
	return chatFolder{desk, strings.TrimSuffix(strings.Replace(desk.name, "explorer", "chats", 1), ".json")}
}

// dir returns its path.
func (f chatFolder) dir() string { return filepath.Join(f.desk.home.dir, f.name) }

// of returns the file of one conversation.
func (f chatFolder) of(id string) Desk {
	d := f.desk
	d.name = filepath.Join(f.name, id+".json")
	return d
}

// Load returns the saved conversations in no particular order. It skips files that are unreadable or not a
// conversation.
func (c Chats) Load() ([]agent.Session, error) {
	kept := c.folder()
	if kept.desk.err != nil {
		return nil, kept.desk.err
	}
	files, err := os.ReadDir(kept.dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "load chats", Message: "cannot read the saved chats",
			Hint: "check the permissions of " + kept.dir(), Err: err,
		}
	}
	var all []agent.Session
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".json")
		var s agent.Session
		if ok && kept.of(id).Load(&s) && s.ID == id {
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
	kept := c.folder()
	if kept.desk.err != nil {
		return kept.desk.err
	}
	if _, err := os.Stat(kept.desk.home.dir); errors.Is(err, fs.ErrNotExist) {
		return nil // without an archive there is nothing to save
	}
	if err := os.MkdirAll(kept.dir(), 0o700); err != nil {
		return err
	}
	return kept.of(s.ID).Keep(s)
}

// forget removes the conversations that cite a turn for which isGone is true: their answers repeat its content.
func (c Chats) forget(isGone func(turnID string) bool) error {
	all, err := c.Load()
	if err != nil {
		return err
	}
	var wrong []error
	for _, s := range all {
		cites := slices.ContainsFunc(s.Exchanges, func(e agent.Exchange) bool {
			return slices.ContainsFunc(e.Citations, func(cited agent.Citation) bool { return isGone(cited.TurnID) })
		})
		if cites {
			wrong = append(wrong, c.folder().of(s.ID).Clear())
		}
	}
	return errors.Join(wrong...)
}

// forgetChats removes the conversations with the chat model that cite turns no longer in the archive; all of them if
// everything is set.
func (l *App) forgetChats(ctx context.Context, st store.Store, everything bool) error {
	if everything {
		return os.RemoveAll(l.Chats().folder().dir())
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
