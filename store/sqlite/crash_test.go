package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// atATime is how many turns a commit of writeUntilKilled adds.
const atATime = 23

// writeUntilKilled commits for ever, and says after each commit how many there are.
func writeUntilKilled(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: dir, Verb: "import"})
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		if err := put(ctx, s, chatOf(atATime, strings.Repeat("word ", 500))); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

func TestUpdate_KilledWriterLeavesWholeCommits(t *testing.T) {
	dir := t.TempDir()
	acknowledged := 0
	for range 8 {
		acknowledged += writeAndKill(t, dir, time.Duration(rand.Int64N(int64(60*time.Millisecond))))
		s, err := Open(t.Context(), Options{Dir: dir})
		must(t, err)
		catalog, err := s.Catalog(t.Context())
		must(t, err)
		if n := catalog.Len(); n%atATime != 0 || n < acknowledged*atATime {
			t.Errorf("%d turns after %d acknowledged commits of %d", n, acknowledged, atATime)
		}
		acknowledged = catalog.Len() / atATime
		must(t, s.checkIntegrity())
		must(t, put(t.Context(), s, chatOf(atATime, "afterwards"))) // nothing is locked
		acknowledged++
		must(t, s.Close())
	}
	if acknowledged < 10 {
		t.Errorf("only %d commits: nothing was killed in the middle", acknowledged)
	}
}

// writeAndKill starts a writer, kills it some time after its first commit, and returns how many commits it acknowledged.
func writeAndKill(t *testing.T, dir string, after time.Duration) (acknowledged int) {
	t.Helper()
	cmd := child(t, "write until killed", dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if acknowledged, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatalf("the writer failed: %s", lines.Text())
		}
		if acknowledged == 1 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed, as it should be
	return acknowledged
}

// checkIntegrity has SQLite look at every page.
func (s *Store) checkIntegrity() error {
	return s.read(context.Background(), "check", func(c *conn) error {
		stmt, _, err := c.Prepare("PRAGMA integrity_check")
		if err != nil {
			return err
		}
		defer stmt.Close()
		if !stmt.Step() || stmt.ColumnText(0) != "ok" {
			return fmt.Errorf("integrity: %s (%w)", stmt.ColumnText(0), stmt.Err())
		}
		return nil
	})
}
