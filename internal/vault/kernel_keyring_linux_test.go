package vault

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Who is ended while a key is being kept must leave none that does not forget itself. The key has its time before others can find it.
func TestHold_KeyExpiresBeforeItIsShared(t *testing.T) {
	dir, c, _ := saved(t)
	v, err := Load(dir, cheap(c))
	must(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	id, err := v.addExpiringKey(make([]byte, keyBytes), 10*time.Minute)
	if err != nil {
		t.Skipf("SKIPPED: this system keeps no key: %v", err)
	}
	if _, found := v.Held(); found {
		t.Error("others find it already")
	}
	all, err := os.ReadFile("/proc/keys")
	if err != nil {
		t.Skip("SKIPPED: keys are not listed here: ", err)
	}
	for line := range strings.Lines(string(all)) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[0] == fmt.Sprintf("%08x", id) {
			if fields[3] == "perm" {
				t.Error("it never forgets itself")
			}
			return
		}
	}
	t.Error("the key is not listed")
}
