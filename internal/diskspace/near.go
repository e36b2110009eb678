package diskspace

import (
	"os"
	"path/filepath"
)

// FreeNear is Free for a folder that need not exist yet: its closest ancestor that exists counts.
func FreeNear(dir string) (int64, bool) {
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return Free(dir)
		}
		dir = filepath.Dir(dir)
	}
}
