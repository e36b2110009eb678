package boot

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lens/internal/audit"
	"lens/internal/vault"
	"lens/store"
)

// auditKeeper keeps the audit log's key and head beside it, for the owner alone: that the archive is locked must be recorded too. An archive
// that is open keeps the head as well. There it is encrypted with the archive, and nobody takes it back who cannot open that.
type auditKeeper struct {
	dir     string
	archive func() headArchive // that is open now; nil: none
}

// headArchive is an archive that keeps heads, as SQLite's do. One on a server is shared by machines that each have their own log.
type headArchive interface {
	AuditHead(ctx context.Context) ([]byte, error)
	SetAuditHead(ctx context.Context, head []byte) error
}

const (
	auditKeyBytes  = 32
	auditHeadBytes = 512 // with spaces: one length, so that it is replaced in one write, in place
)

// Key reads the key, or makes it.
func (k auditKeeper) Key(fresh bool) ([]byte, error) {
	path := filepath.Join(k.dir, "audit.key")
	key, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && fresh:
		key = make([]byte, auditKeyBytes)
		rand.Read(key)
		return key, vault.WriteFile(path, key)
	case err == nil && len(key) != auditKeyBytes:
		return nil, errors.New("the key has the wrong length")
	}
	return key, err
}

// Heads reads what was kept last.
func (k auditKeeper) Heads() (all [][]byte, err error) {
	switch beside, err := os.ReadFile(k.head()); {
	case err == nil:
		all = append(all, bytes.TrimRight(beside, " "))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if open := k.archive(); open != nil {
		head, err := open.AuditHead(context.Background())
		if err != nil {
			return nil, err
		}
		if head != nil {
			all = append(all, head)
		}
	}
	return all, nil
}

// Keep overwrites it. An archive that somebody is writing to, or that can only be read, lags behind.
func (k auditKeeper) Keep(head []byte) error {
	err := k.keepBeside(head)
	if open := k.archive(); open != nil && err == nil {
		if err = open.SetAuditHead(context.Background(), head); store.CodeOf(err) == store.CodeUnavailable {
			err = nil
		}
	}
	return err
}

func (k auditKeeper) keepBeside(head []byte) error {
	if len(head) > auditHeadBytes {
		return io.ErrShortBuffer
	}
	padded := append(bytes.Clone(head), bytes.Repeat([]byte(" "), auditHeadBytes-len(head))...)
	file, err := os.OpenFile(k.head(), os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return vault.WriteFile(k.head(), padded) // so that no crash leaves it empty
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt(padded, 0)
	return errors.Join(err, file.Close())
}

func (k auditKeeper) head() string { return filepath.Join(k.dir, "audit.head") }

// Audit returns the record of the retriever's decisions.
func (l *Lens) Audit() *audit.Log {
	return audit.New(l.AuditPath(), auditKeeper{l.cfg.DataDir, l.openHeadArchive})
}

// AuditPath is where decisions are recorded.
func (l *Lens) AuditPath() string { return filepath.Join(l.cfg.DataDir, "audit.jsonl") }

// openHeadArchive returns the archive if it is open and keeps heads.
func (l *Lens) openHeadArchive() headArchive {
	l.mu.Lock()
	defer l.mu.Unlock()
	keeps, ok := l.store.(headArchive)
	if !ok {
		return nil // and no nil of a backend's type in an interface
	}
	return keeps
}

// AuditReport is what VerifyAudit found.
type AuditReport struct {
	audit.Report
	Unseen string `json:"unseen,omitempty"` // why the head in the archive was not looked at; "": it was, or there is no archive to keep one
}

// VerifyAudit follows the record, and compares where it ends with the head in the archive, which it opens for that.
func (l *Lens) VerifyAudit(ctx context.Context) (AuditReport, error) {
	_, err := l.reading(ctx)
	unseen := ""
	if err != nil && store.CodeOf(err) != store.CodeNotFound {
		unseen = Failed("archive", err).Message
	}
	report, err := l.Audit().Verify()
	return AuditReport{report, unseen}, err
}

// RenewAudit sets the record aside, in a folder beside it, and begins a new one that says so: for a record that cannot be followed any more, or
// that stayed behind when the archive was moved. Errors: those of opening the archive, without which nobody may do that, and *audit.Error.
func (l *Lens) RenewAudit(ctx context.Context) (folder string, err error) {
	st, err := l.writing(ctx)
	if err != nil {
		return "", err
	}
	err = l.Audit().Renew(ctx, func() error {
		if keeps, ok := st.(headArchive); ok {
			if err := keeps.SetAuditHead(ctx, nil); err != nil {
				return err
			}
		}
		folder, err = l.setAuditAside()
		return err
	})
	if err != nil {
		return "", err
	}
	return folder, nil
}

// setAuditAside moves the record with all that is kept beside it, for who holds its lock.
func (l *Lens) setAuditAside() (folder string, err error) {
	folder = filepath.Join(l.cfg.DataDir, "audit-"+time.Now().UTC().Format("20060102T150405.000Z"))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	for _, name := range []string{"audit.jsonl", "audit.head", "audit.key"} {
		if err := onlyIfThere(os.Rename(filepath.Join(l.cfg.DataDir, name), filepath.Join(folder, name))); err != nil {
			return "", err
		}
	}
	return folder, vault.SyncDir(l.cfg.DataDir)
}
