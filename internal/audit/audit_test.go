package audit_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gofrs/flock"

	"lens/internal/audit"
	"lens/internal/errs"
)

// keeper keeps in memory.
type keeper struct {
	mu        sync.Mutex
	key, head []byte
	other     []byte // head in another place, which a test keeps
	fails     error  // of Keep
}

func (k *keeper) Key(fresh bool) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.key == nil && !fresh {
		return nil, errors.New("no key")
	}
	if k.key == nil {
		k.key = bytes.Repeat([]byte{7}, 32)
	}
	return k.key, nil
}

func (k *keeper) Heads() (all [][]byte, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, head := range [][]byte{k.head, k.other} {
		if head != nil {
			all = append(all, head)
		}
	}
	return all, nil
}

func (k *keeper) Keep(head []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fails == nil {
		k.head = head
	}
	return k.fails
}

// chain returns a log of n lines and where it is.
func chain(t testing.TB, n int) (log *audit.Log, path string, k *keeper) {
	t.Helper()
	k = new(keeper)
	path = filepath.Join(t.TempDir(), "audit.jsonl")
	log = audit.New(path, k)
	for i := range n {
		record(t, log, i+1)
	}
	return log, path, k
}

func record(t testing.TB, log *audit.Log, want int) {
	t.Helper()
	d := audit.Decision{Act: audit.Proceed, QID: "0a1b", Mode: "standard", Mechanism: "seccomp", Probes: 4, K: 8, Hits: 3}
	if want%3 == 0 {
		d.Act, d.Reason = audit.Revert, "locked"
	}
	if seq, err := log.Append(d); err != nil || seq != uint64(want) {
		t.Fatalf("line %d, %v; want line %d", seq, err, want)
	}
}

func rewrite(t testing.TB, path string, change func(lines []string) []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(change(lines[:len(lines)-1]), "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerify_UnchangedLog(t *testing.T) {
	log, path, _ := chain(t, 7)
	r, err := log.Verify()
	if err != nil || !r.Intact() || r.Lines != 7 || r.Reverts != 2 || r.Torn || r.Last == "" {
		t.Errorf("got %+v, %v", r, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.SplitN(string(text), "\n", 2)[0]
	const begins, middle = `{"seq":1,"ts":"`, `","act":"proceed","reason":"","qid":"0a1b","mode":"standard","mechanism":"seccomp","probes":4,"k":8,"n_hits":3,"prev":"","mac":"`
	if !strings.HasPrefix(first, begins) || !strings.Contains(first, middle) {
		t.Errorf("the first line is %s", first)
	}
}

func TestVerify_ChangedLog(t *testing.T) {
	foreign, foreignPath, _ := chain(t, 1)
	_ = foreign
	strange, err := os.ReadFile(foreignPath)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(lines []string) []string
		at     uint64
	}{
		"a field":               {func(l []string) []string { l[2] = strings.Replace(l[2], `"revert"`, `"proceed"`, 1); return l }, 3},
		"another spelling":      {func(l []string) []string { l[1] = strings.Replace(l[1], `"k":8`, `"k": 8`, 1); return l }, 2},
		"a field more":          {func(l []string) []string { l[1] = strings.Replace(l[1], `"k":8`, `"k":8,"q":"x"`, 1); return l }, 2},
		"the same field twice":  {func(l []string) []string { l[1] = strings.Replace(l[1], `"k":8`, `"k":9,"k":8`, 1); return l }, 2},
		"a line taken out":      {func(l []string) []string { return append(l[:1], l[2:]...) }, 2},
		"two lines swapped":     {func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }, 2},
		"a line twice":          {func(l []string) []string { return append(l, l[4]) }, 6},
		"the first line gone":   {func(l []string) []string { return l[1:] }, 1},
		"the end cut off":       {func(l []string) []string { return l[:3] }, 4},
		"everything cut off":    {func([]string) []string { return nil }, 1},
		"the last line torn":    {func(l []string) []string { l[4] = l[4][:40]; return l }, 5},
		"a line of another log": {func(l []string) []string { return append(l, string(strange)) }, 6},
		"an empty line":         {func(l []string) []string { l[2] = "\n"; return l }, 3},
		"a very long line":      {func(l []string) []string { l[2] = strings.Repeat("x", 10_000) + "\n"; return l }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			log, path, _ := chain(t, 5)
			rewrite(t, path, c.change)
			r, err := log.Verify()
			if err != nil || r.Intact() || r.FaultyAt != c.at || r.Lines != c.at-1 {
				t.Errorf("got %+v, %v; want a fault at line %d", r, err, c.at)
			}
		})
	}
}

func TestVerify_TruncatedLogWithForgedHead(t *testing.T) {
	log, path, k := chain(t, 3)
	old := bytes.Clone(k.head)
	record(t, log, 4)
	forged := bytes.Replace(k.head, []byte(`"seq":4`), []byte(`"seq":3`), 1)
	rewrite(t, path, func(l []string) []string { return l[:3] })
	k.head = forged
	if r, err := log.Verify(); err != nil || r.Intact() {
		t.Errorf("a forged head passes: %+v, %v", r, err)
	}
	k.head = old // from a backup: an old log with its old head looks like a log that was never longer
	if r, err := log.Verify(); err != nil || !r.Intact() {
		t.Errorf("got %+v, %v", r, err)
	}
}

// Cutting the log and replacing one head is detected by the other head, even if the attacker has the key and appends other lines.
func TestVerify_OneOfTwoHeadsReplaced(t *testing.T) {
	log, path, k := chain(t, 3)
	early := bytes.Clone(k.head)
	record(t, log, 4)
	record(t, log, 5)
	k.other = bytes.Clone(k.head)
	rewrite(t, path, func(l []string) []string { return l[:3] })
	k.head = early
	cut, err := log.Verify()
	if _, failed := log.Append(audit.Decision{}); err != nil || cut.Intact() || cut.FaultyAt != 4 || failed == nil {
		t.Errorf("cut: %+v, %v, appended %v", cut, err, failed)
	}
	late := k.other
	k.other = nil // as if the place could not be read
	for n := 4; n <= 6; n++ {
		record(t, log, n)
	}
	k.other = late
	if forged, err := log.Verify(); err != nil || forged.Intact() || forged.FaultyAt != 5 {
		t.Errorf("rewritten: %+v, %v", forged, err)
	}
	before, _ := os.ReadFile(path)
	_, err = log.Append(audit.Decision{Act: audit.Proceed})
	if after, _ := os.ReadFile(path); err == nil || !bytes.Equal(before, after) {
		t.Errorf("rewritten lines were continued: %v", err)
	}
}

// The line of a head that lags is found at any position, whatever the lengths of lines.
func TestAppend_HeadLagsByAnyNumberOfLines(t *testing.T) {
	log, _, k := chain(t, 0)
	var heads [][]byte
	for n := range 40 {
		d := audit.Decision{Act: audit.Proceed, QID: strings.Repeat("q", n*n%1500)}
		if _, err := log.Append(d); err != nil {
			t.Fatal(err)
		}
		heads = append(heads, bytes.Clone(k.head))
	}
	for n, head := range heads {
		k.other = head
		if _, err := log.Append(audit.Decision{Act: audit.Proceed}); err != nil {
			t.Errorf("the head of line %d: %v", n+1, err)
		}
	}
}

func TestRenew_HoldsTheLock(t *testing.T) {
	log, path, k := chain(t, 3)
	err := log.Renew(t.Context(), func() error {
		if got, err := flock.New(path + ".lock").TryLock(); got || err != nil {
			t.Errorf("another process gets the lock: %v, %v", got, err)
		}
		k.key, k.head = nil, nil
		return os.Remove(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	record(t, log, 2)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(strings.SplitN(string(text), "\n", 2)[0], `"act":"renewed"`) {
		t.Errorf("the new log begins with %s, %v", text, err)
	}
	if r, err := log.Verify(); err != nil || !r.Intact() || r.Lines != 2 || r.Reverts != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	stays := errors.New("it cannot be moved")
	if err := log.Renew(t.Context(), func() error { return stays }); !errors.Is(err, stays) {
		t.Errorf("got %v", err)
	}
	record(t, log, 3) // the lock was released
}

func TestAppend_LogAndKeyMissing(t *testing.T) {
	log, path, k := chain(t, 3)
	k.other, k.head, k.key = k.head, nil, nil
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r, err := log.Verify(); err != nil || r.Intact() {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := log.Append(audit.Decision{}); err == nil || k.key != nil {
		t.Errorf("a new log was started: %v", err)
	}
}

func TestAppend_BrokenChain(t *testing.T) {
	for name, change := range map[string]func(lines []string) []string{
		"the end cut off":    func(l []string) []string { return l[:2] },
		"everything cut off": func([]string) []string { return nil },
		"the last line":      func(l []string) []string { l[2] = strings.Replace(l[2], `"k":8`, `"k":9`, 1); return l },
		"no line at all":     func(l []string) []string { l[2] = "what is this\n"; return l },
	} {
		log, path, _ := chain(t, 3)
		rewrite(t, path, change)
		before, _ := os.ReadFile(path)
		if _, err := log.Append(audit.Decision{}); errs.CodeOf(err) != errs.Unavailable {
			t.Errorf("%s: got %v", name, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s: the log was changed", name)
		}
	}
}

func TestAppend_DropsTornTail(t *testing.T) {
	for _, left := range []int{1, 40, 200} {
		log, path, _ := chain(t, 3)
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteString(strings.Repeat(`{"seq":4,"ts":"2026`, 20)[:left])
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		if r, err := log.Verify(); err != nil || !r.Intact() || !r.Torn || r.Lines != 3 {
			t.Errorf("%d bytes: got %+v, %v", left, r, err)
		}
		record(t, log, 4)
		if r, err := log.Verify(); err != nil || !r.Intact() || r.Torn || r.Lines != 4 {
			t.Errorf("%d bytes, afterwards: got %+v, %v", left, r, err)
		}
	}
}

func TestAppend_FirstLineTorn(t *testing.T) {
	log, path, _ := chain(t, 0)
	if err := os.WriteFile(path, []byte(`{"seq":1,"ts"`), 0o600); err != nil {
		t.Fatal(err)
	}
	record(t, log, 1)
	if r, err := log.Verify(); err != nil || !r.Intact() || r.Lines != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestVerify_HeadLags(t *testing.T) {
	log, _, k := chain(t, 2)
	k.fails = errors.New("the disk is full")
	if _, err := log.Append(audit.Decision{Act: audit.Proceed}); err == nil {
		t.Error("a head that was not stored was ignored")
	}
	k.fails = nil
	if r, err := log.Verify(); err != nil || !r.Intact() || r.Lines != 3 {
		t.Errorf("got %+v, %v", r, err)
	}
	record(t, log, 4)
}

func TestAppend_FolderMissing(t *testing.T) {
	log := audit.New(filepath.Join(t.TempDir(), "no folder", "audit.jsonl"), new(keeper))
	if _, err := log.Append(audit.Decision{}); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestAppend_DiskFull(t *testing.T) {
	const full = "/dev/full" // Linux: every write fails with ENOSPC
	if _, err := os.Stat(full); err != nil {
		t.Skip("SKIPPED: no /dev/full here: ", err)
	}
	_, path, k := chain(t, 0)
	if err := os.Symlink(full, path); err != nil {
		t.Fatal(err)
	}
	var auditErr *errs.Error
	_, err := audit.New(path, k).Append(audit.Decision{Act: audit.Proceed})
	if !errors.As(err, &auditErr) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(auditErr.Hint, "free some disk space") {
		t.Errorf("got %v", err)
	}
	if k.head != nil {
		t.Error("stored the head of a line that was not written")
	}
}

func TestVerify_KeyMissing(t *testing.T) {
	log, _, k := chain(t, 2)
	k.key = nil
	if _, err := log.Verify(); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	if _, err := log.Append(audit.Decision{}); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("appended: %v", err)
	}
}

func TestVerify_NoLog(t *testing.T) {
	log, _, _ := chain(t, 0)
	if r, err := log.Verify(); err != nil || !r.Intact() || r.Lines != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestAppend_ConcurrentWriters(t *testing.T) {
	_, path, k := chain(t, 0)
	k.key = bytes.Repeat([]byte{7}, 32)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			log := audit.New(path, k) // like another process
			for range 25 {
				if _, err := log.Append(audit.Decision{Act: audit.Proceed}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if r, err := audit.New(path, k).Verify(); err != nil || !r.Intact() || r.Lines != 100 {
		t.Errorf("got %+v, %v", r, err)
	}
}
