package app

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

	"lens/cmd/internal/doctor"
	"lens/internal/audit"
	"lens/internal/errs"
	"lens/internal/vault"
)

// auditKeeper stores the audit log's key and head next to the log, readable by the owner alone: an attempt on a locked
// archive must be recorded, too. An open archive stores the head as well, encrypted with it, so that only those who can
// open the archive can roll the head back.
type auditKeeper struct {
	dir     string
	archive func() headArchive // returns the open archive; nil: none is open
}

// headArchive is an archive that stores the audit head, as SQLite's does. An archive on a server does not: the machines
// that share it each have their own log.
type headArchive interface {
	AuditHead(ctx context.Context) ([]byte, error)
	SetAuditHead(ctx context.Context, head []byte) error
}

const (
	auditKeyBytes  = 32
	auditHeadBytes = 512 // padded with spaces, so that one write replaces it in place
)

// Key reads the key, or creates it.
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

// Heads returns the stored heads: the one next to the log, and the one in the archive.
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

// Keep stores head in both places. The copy in an archive that another process writes to, or that is read-only, lags
// behind.
func (k auditKeeper) Keep(head []byte) error {
	err := k.keepBeside(head)
	if open := k.archive(); open != nil && err == nil {
		if err = open.SetAuditHead(context.Background(), head); errs.CodeOf(err) == errs.Unavailable {
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
		return vault.WriteFile(k.head(), padded) // atomically, so that no crash leaves it empty
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt(padded, 0)
	return errors.Join(err, file.Close())
}

func (k auditKeeper) head() string { return filepath.Join(k.dir, "audit.head") }

// Audit returns the audit log of the retriever's decisions.
func (l *App) Audit() *audit.Log {
	return audit.New(l.AuditPath(), auditKeeper{l.cfg.DataDir, l.openHeadArchive})
}

// AuditPath returns the file of the audit log.
func (l *App) AuditPath() string { return filepath.Join(l.cfg.DataDir, "audit.jsonl") }

// openHeadArchive returns the archive if it is open and stores heads.
func (l *App) openHeadArchive() headArchive {
	l.mu.Lock()
	defer l.mu.Unlock()
	keeps, ok := l.store.(headArchive)
	if !ok {
		return nil // not a typed nil in an interface
	}
	return keeps
}

// AuditReport is what VerifyAudit found.
type AuditReport struct {
	audit.Report

	// Unseen says why the head in the archive was not compared; "": it was, or there is no archive that stores one.
	Unseen string `json:"unseen,omitempty"`
}

// VerifyAudit verifies the record, and compares its end with the head in the archive, which it opens for that.
func (l *App) VerifyAudit(ctx context.Context) (AuditReport, error) {
	_, err := l.Reading(ctx)
	unseen := ""
	if err != nil && errs.CodeOf(err) != errs.NotFound {
		unseen = doctor.Failed("archive", err).Message
	}
	report, err := l.Audit().Verify()
	return AuditReport{report, unseen}, err
}

// RenewAudit moves the record into a folder next to it, and starts a new record that says so. It is for a record that
// no longer verifies, or that stayed behind when the archive was moved. It requires access to the archive. Errors:
// those of opening the archive, and unavailable.
func (l *App) RenewAudit(ctx context.Context) (folder string, err error) {
	st, err := l.Writing(ctx)
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

// setAuditAside moves the record, its head and its key. The caller holds the lock of the record.
func (l *App) setAuditAside() (folder string, err error) {
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

// onlyIfThere returns err, but nil for a file that does not exist.
func onlyIfThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
