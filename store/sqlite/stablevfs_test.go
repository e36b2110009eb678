package sqlite

import (
	"bytes"
	"testing"

	"github.com/ncruces/go-sqlite3/vfs"
)

// changingFile is a file that returns other bytes at each read, up to its last version.
type changingFile struct {
	vfs.File
	reads []string
}

func (f *changingFile) ReadAt(p []byte, _ int64) (int, error) {
	n := copy(p, f.reads[0])
	if len(f.reads) > 1 {
		f.reads = f.reads[1:]
	}
	return n, nil
}

func TestStableVFS_ReadsUntilStable(t *testing.T) {
	for _, reads := range [][]string{{"whole"}, {"torn!", "whole"}, {"to", "torn!", "whole"}, {"torn!", "wh", "whole"}} {
		p := make([]byte, 5)
		n, err := (&stableFile{File: &changingFile{reads: reads}}).ReadAt(p, 0)
		if err != nil || !bytes.Equal(p[:n], []byte("whole")) {
			t.Errorf("%q: read %q, %v", reads, p[:n], err)
		}
	}
}
