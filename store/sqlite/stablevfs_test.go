package sqlite

import (
	"bytes"
	"testing"

	"github.com/ncruces/go-sqlite3/vfs"
)

// restless is a file that gives other bytes each time until it has none left but the last.
type restless struct {
	vfs.File
	reads []string
}

func (f *restless) ReadAt(p []byte, _ int64) (int, error) {
	n := copy(p, f.reads[0])
	if len(f.reads) > 1 {
		f.reads = f.reads[1:]
	}
	return n, nil
}

func TestStableVFS_ReadsUntilStable(t *testing.T) {
	for _, reads := range [][]string{{"whole"}, {"torn!", "whole"}, {"to", "torn!", "whole"}, {"torn!", "wh", "whole"}} {
		p := make([]byte, 5)
		n, err := (&stableFile{File: &restless{reads: reads}}).ReadAt(p, 0)
		if err != nil || !bytes.Equal(p[:n], []byte("whole")) {
			t.Errorf("%q: read %q, %v", reads, p[:n], err)
		}
	}
}
