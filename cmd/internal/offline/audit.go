package offline

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

// Audit is the audit log of the retriever's decisions, in the data folder.
type Audit struct {
	dir     string
	archive Archive
}

// NewAudit returns the audit log in a data folder. It opens nothing.
func NewAudit(dir string, a Archive) *Audit { return &Audit{dir, a} }

// Log returns the log itself.
func (a *Audit) Log() *audit.Log { return audit.New(a.path("audit.jsonl"), headKeeper{a}) }

func (a *Audit) path(name string) string { return filepath.Join(a.dir, name) }

// headKeeper stores the log's key and head next to it, readable by the owner alone: an attempt on a locked archive must
// be recorded, too. An open archive stores the head as well, encrypted with it, so that only those who can open the
// archive can roll the head back.
type headKeeper struct{ *Audit }

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
func (k headKeeper) Key(fresh bool) ([]byte, error) {
	path := k.path("audit.key")
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
func (k headKeeper) Heads() (all [][]byte, err error) {
	switch inFile, err := os.ReadFile(k.path("audit.head")); {
	case err == nil:
		all = append(all, bytes.TrimRight(inFile, " "))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if open := k.openArchive(); open != nil {
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
func (k headKeeper) Keep(head []byte) error {
	err := k.keepNextToLog(head)
	if open := k.openArchive(); open != nil && err == nil {
		if err = open.SetAuditHead(context.Background(), head); errs.CodeOf(err) == errs.Unavailable {
			err = nil
		}
	}
	return err
}

func (k headKeeper) keepNextToLog(head []byte) error {
	if len(head) > auditHeadBytes {
		return io.ErrShortBuffer
	}
	padded := append(bytes.Clone(head), bytes.Repeat([]byte(" "), auditHeadBytes-len(head))...)
	file, err := os.OpenFile(k.path("audit.head"), os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return vault.WriteFile(k.path("audit.head"), padded) // atomically, so that no crash leaves it empty
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt(padded, 0)
	return errors.Join(err, file.Close())
}

// openArchive returns the archive if it is open and stores heads.
func (a *Audit) openArchive() headArchive {
	keeps, _ := a.archive.Opened().(headArchive)
	return keeps
}

// AuditReport is what Verify found.
type AuditReport struct {
	audit.Report

	// Unseen says why the head in the archive was not compared; "": it was, or there is no archive that stores one.
	Unseen string `json:"unseen,omitempty"`
}

// Verify verifies the record, and compares its end with the head in the archive, which it opens for that.
func (a *Audit) Verify(ctx context.Context) (AuditReport, error) {
	_, err := a.archive.Reading(ctx)
	unseen := ""
	if err != nil && errs.CodeOf(err) != errs.NotFound {
		unseen = doctor.Failed("archive", err).Message
	}
	report, err := a.Log().Verify()
	return AuditReport{report, unseen}, err
}

// Renew moves the record into a folder next to it, and starts a new record that says so. It is for a record that
// no longer verifies, or that stayed behind when the archive was moved. It requires access to the archive. Errors:
// those of opening the archive, and unavailable.
func (a *Audit) Renew(ctx context.Context) (folder string, err error) {
	st, err := a.archive.Writing(ctx)
	if err != nil {
		return "", err
	}
	err = a.Log().Renew(ctx, func() error {
		if keeps, ok := st.(headArchive); ok {
			if err := keeps.SetAuditHead(ctx, nil); err != nil {
				return err
			}
		}
		folder, err = a.setAside()
		return err
	})
	if err != nil {
		return "", err
	}
	return folder, nil
}

// setAside moves the record, its head and its key. The caller holds the lock of the record.
func (a *Audit) setAside() (folder string, err error) {
	folder = a.path("audit-" + time.Now().UTC().Format("20060102T150405.000Z"))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	for _, name := range []string{"audit.jsonl", "audit.head", "audit.key"} {
		if err := os.Rename(a.path(name), filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return folder, vault.SyncDir(a.dir)
}
