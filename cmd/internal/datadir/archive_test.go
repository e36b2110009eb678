package datadir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/cmd/internal/keys"
	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

func TestMain(m *testing.M) {
	testenv.BeChild()
	os.Exit(m.Run())
}

// Secrets of these tests.
const (
	onePhrase   = vaulttest.Passphrase
	otherPhrase = vaulttest.OtherPassphrase
	lastResort  = vaulttest.Recovery
)

var alone = vaulttest.Alone

// canary is part of every text that these tests store.
const canary = "zanzibarine"

const chatID = "0b8f6e3c-1111-4222-8333-444455556666"

var session = uuid.MustParse(chatID)

var chatFile = filepath.Join(ChatsFolder, chatID+".json")

// archive is an archive with synthetic chats, and a state file and a conversation with the canary.
type archive struct {
	t      *testing.T
	dir    string
	keys   *keys.Holder
	folder *Folder
	mover  *Mover
	st     store.Store
}

// archiveIn returns the archive in dir, not open yet, with a keyring of its own.
func archiveIn(t *testing.T, dir string) *archive {
	t.Helper()
	a := newArchive(keys.Options{Dir: dir, Vault: vaulttest.Options()})
	a.t = t
	t.Cleanup(a.quit)
	return a
}

func newArchive(opts keys.Options) *archive {
	a := &archive{dir: opts.Dir, keys: keys.New(opts)}
	a.folder = New(a.keys)
	a.mover = NewMover(a.folder, a)
	return a
}

func (a *archive) open() (store.Store, error) {
	if a.st != nil {
		return a.st, nil
	}
	h, err := a.folder.HomeFor(a)
	if err != nil {
		return nil, err
	}
	st, err := sqlite.Open(context.Background(), h.Options())
	if err != nil {
		return nil, err
	}
	a.st = st
	return st, nil
}

func (a *archive) Close() error {
	if a.st == nil {
		return nil
	}
	st := a.st
	a.st = nil
	return st.Close()
}

func (a *archive) Lock() error {
	if a.st == nil {
		return nil
	}
	st := a.st.(keys.Locker)
	a.st = nil
	return st.Lock()
}

// quit closes everything, as the end of the process does.
func (a *archive) quit() {
	must(a.t, a.Close())
	a.keys.Close()
	a.folder.Close()
}

func (a *archive) state() File { return File{a.folder, StateFile} }

func (a *archive) fill() {
	t := a.t
	t.Helper()
	export := testenv.DemoWith(t, demo.Options{Turns: 60}, canary)
	must(t, os.MkdirAll(a.dir, 0o700))
	st, err := a.open()
	must(t, err)
	_, err = ingest.Import(t.Context(), st, []string{export}, ingest.Options{})
	must(t, err)
	h, err := a.folder.Home()
	must(t, err)
	must(t, os.MkdirAll(h.Path(ChatsFolder), 0o700))
	for _, name := range []string{StateFile, chatFile} {
		must(t, h.Save(name, map[string]string{"text": canary}))
	}
	chats, err := h.OpenSessions(t.Context(), SessionsFile, true)
	must(t, err)
	must(t, chats.Update(t.Context(), func(tx store.SessionsTx) error {
		return tx.Put(t.Context(), store.Session{ID: session, Content: []byte(canary)})
	}))
	must(t, chats.Close())
}

// saved returns the content of the session.
func (a *archive) saved() (text string, err error) {
	ctx := context.Background()
	err = a.folder.With(func(h Home) error {
		chats, err := h.OpenSessions(ctx, SessionsFile, false)
		if err != nil {
			return err
		}
		kept, err := chats.Session(ctx, session)
		text = string(kept.Content)
		return errors.Join(err, chats.Close())
	})
	return text, err
}

// contents returns the content of the archive and of the files next to it.
func (a *archive) contents() (string, error) {
	st, err := a.open()
	if err != nil {
		return "", err
	}
	var all strings.Builder
	if _, err := ingest.Export(context.Background(), st, &all, ingest.ExportOptions{}); err != nil {
		return "", err
	}
	for _, name := range []string{StateFile, chatFile} {
		var content map[string]string
		if !(File{a.folder, name}).Load(&content) {
			return "", errors.New(name + " is gone")
		}
		all.WriteString(content["text"])
	}
	text, err := a.saved()
	return all.String() + text, err
}

var must = testenv.Must
