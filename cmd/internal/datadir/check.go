package datadir

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"lens/cmd/internal/doctor"
)

// Check reports whether the archive on disk is encrypted.
func (f *Folder) Check(context.Context) []doctor.Check {
	c := doctor.Check{Name: "encryption", Status: doctor.OK}
	left := f.leftover()
	v, err := f.holder.Vault()
	switch {
	case f.holder.Remote():
		c.Message = "none by Lens: data in Postgres is as safe as its server's disk"
	case errors.Is(err, fs.ErrNotExist):
		c.Message = cmp.Or(left, "none: anyone who can read the disk can read your chats; lens pin set encrypts them")
	case err != nil:
		return []doctor.Check{doctor.Failed("encryption", err)}
	default:
		c.Message = cmp.Or(left, v.Describe())
	}
	switch {
	case left == unfinished, left == unfinishedRestore:
		c.Status, c.Hint = doctor.Warn, "run any lens command that may write there; it finishes the change"
	case left != "":
		c.Status, c.Hint = doctor.Warn, "move it to another folder and open it there with --data; Lens does not remove it"
	}
	return []doctor.Check{c}
}

const (
	unfinished        = "a change of the encryption was interrupted"
	unfinishedRestore = "a restore was interrupted, or is running"
)

// leftover describes what a move left behind, or an unencrypted file next to an encrypted archive; "" for neither.
func (f *Folder) leftover() string {
	plain := f.plain()
	switch {
	case !missing(plain.Path(restoringName)):
		return unfinishedRestore
	case !missing(plain.Path(movingName)):
		return unfinished
	}
	if name := plain.anyFile(); name != "" && f.holder.Encrypted() {
		return "unencrypted file next to the encrypted archive: " + name + " (from an older Lens or another program)"
	}
	return ""
}
