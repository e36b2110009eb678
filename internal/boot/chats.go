package boot

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
	"lens/retrieval"
	"lens/store"
)

// Chats is where conversations with the chat model are kept: a folder beside the archive with a file for each, as private as that. Where that
// is, and its key, is asked each time: an archive may be locked and unlocked meanwhile.
//
// They are files, not rows of the archive, and so are the conclusions pinned in them and the explorer's bookmarks: they are one person's on this
// machine, also where the archive is a server's that others read, they are kept while somebody else writes to the archive, and each is replaced
// whole. Encrypted they are like everything else in the archive's folder.
type Chats struct {
	desk func() Desk // beside which it lies
}

// Chats returns the archive's: beside its desk, and called like that.
func (l *Lens) Chats() Chats { return Chats{l.Desk} }

// chatFolder is the folder of conversations beside a desk, as it is now.
type chatFolder struct {
	desk Desk
	name string
}

func (c Chats) folder() chatFolder {
	desk := c.desk()
	return chatFolder{desk, strings.TrimSuffix(strings.Replace(desk.name, "explorer", "chats", 1), ".json")}
}

// dir is the folder.
func (f chatFolder) dir() string { return filepath.Join(f.desk.home.dir, f.name) }

// of is where one conversation is kept.
func (f chatFolder) of(id string) Desk {
	d := f.desk
	d.name = filepath.Join(f.name, id+".json")
	return d
}

// Load returns what was kept, in no order. A file that cannot be read, or is no conversation, is passed over: the others are there.
func (c Chats) Load() ([]agent.Session, error) {
	kept := c.folder()
	if kept.desk.err != nil {
		return nil, kept.desk.err
	}
	files, err := os.ReadDir(kept.dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &store.Error{
			Code: store.CodeUnavailable, Op: "load chats", Message: "cannot read the saved conversations",
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

// Keep replaces what is kept of a conversation: whole, or not at all. Errors: invalid for an id that is no UUID, locked, those of the file system.
func (c Chats) Keep(s agent.Session) error {
	id, err := uuid.Parse(s.ID)
	if err != nil || id.String() != s.ID {
		return &store.Error{Code: store.CodeInvalid, Op: "keep chat", Message: "the conversation ID is not a UUID"}
	}
	kept := c.folder()
	if kept.desk.err != nil {
		return kept.desk.err
	}
	if _, err := os.Stat(kept.desk.home.dir); errors.Is(err, fs.ErrNotExist) {
		return nil // there is no archive, and so nothing that was talked about
	}
	if err := os.MkdirAll(kept.dir(), 0o700); err != nil {
		return err
	}
	return kept.of(s.ID).Keep(s)
}

// forget removes the conversations that cite a turn which is gone: their answers tell of it.
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

// forgetChats forgets the conversations with the chat model that tell of what is no longer in the archive; with everything, all of them.
func (l *Lens) forgetChats(ctx context.Context, st store.Store, everything bool) error {
	if everything {
		return os.RemoveAll(l.Chats().folder().dir())
	}
	engine := retrieval.New(st, nil)
	return l.Chats().forget(func(turnID string) bool {
		_, err := engine.Turn(ctx, turnID)
		return store.CodeOf(err) == store.CodeNotFound
	})
}

// ChatHost returns where the configured chat model gets its texts, and whether that is this machine.
func (l *Lens) ChatHost() (host string, local bool) {
	host = hostname(orDefault(l.cfg.Chat.BaseURL))
	return host, isLoopback(host)
}
