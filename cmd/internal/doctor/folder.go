package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"lens/internal/diskspace"
)

// Folder checks the data folder, which origin has set, and the space on its disk.
func Folder(dir, origin string) Probe {
	return func(context.Context) []Check { return []Check{checkFolder(dir, origin), checkSpace(dir)} }
}

func checkFolder(dir, origin string) Check {
	c := Check{Name: "folder", Status: OK, Message: fmt.Sprintf("%s (%s)", dir, origin)}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Message += " will be created when needed"
	case err != nil:
		c.Status, c.Hint = Fail, "check the permissions of the folders above it"
		c.Message += " cannot be read"
	case !info.IsDir():
		c.Status, c.Hint = Fail, "move the file away, or choose another folder with --data"
		c.Message += " is a file, not a folder"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		c.Status, c.Hint = Warn, "run chmod 700 "+dir
		c.Message += " is accessible to other users"
	}
	return c
}

// Free space, in bytes, below which another export hardly fits, or does not fit at all.
const (
	littleSpace = 2 << 30
	noSpace     = 64 << 20
)

func checkSpace(dir string) Check {
	free, known := diskspace.FreeNear(dir)
	if !known {
		return Check{Name: "space", Status: Warn, Message: "free space is unknown on this system"}
	}
	c := Check{Name: "space", Status: OK, Message: fmt.Sprintf("%.1f GiB free", float64(free)/(1<<30))}
	switch {
	case free < noSpace:
		c.Status, c.Hint = Fail, "free some disk space before importing"
	case free < littleSpace:
		c.Status, c.Hint = Warn, "free some disk space; an import needs about twice the size of the export"
	}
	return c
}
