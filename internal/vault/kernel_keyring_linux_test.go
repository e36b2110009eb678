package vault

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A process that is killed while it stores a key must not leave one that never expires. The expiry is set before others can
// find the key.
func TestHold_KeyExpiresBeforeItIsShared(t *testing.T) {
	dir, c, _ := saved(t)
	v, err := Load(dir, cheap(c))
	must(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	id, err := v.addExpiringKey(make([]byte, keyBytes), 10*time.Minute)
	if err != nil {
		t.Skipf("SKIPPED: this system has no kernel keyring: %v", err)
	}
	if _, found := v.Held(); found {
		t.Error("others can find the key already")
	}
	all, err := os.ReadFile("/proc/keys")
	if err != nil {
		t.Skip("SKIPPED: keys are not listed here: ", err)
	}
	for line := range strings.Lines(string(all)) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[0] == fmt.Sprintf("%08x", id) {
			if fields[3] == "perm" {
				t.Error("the key never expires")
			}
			return
		}
	}
	t.Error("the key is not listed")
}
