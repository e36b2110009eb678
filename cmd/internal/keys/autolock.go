package keys

import (
	"sync"
	"time"
)

// watchEvery is how often AutoLock checks.
const watchEvery = 2 * time.Second

// asleep is how far the wall clock must run ahead of the process's clock for the machine to have slept.
const asleep = 10 * time.Second

// AutoLock locks the archive after the machine has slept, and when lens lock runs in another process; in a server also
// when the time that lens unlock granted is over. stop ends the watch. The functions given to OnLock run after each
// lock.
//
// The lock does not come before the machine sleeps, but within seconds of its waking up.
func (h *Holder) AutoLock() (stop func()) {
	ended := make(chan struct{})
	ticker := time.NewTicker(watchEvery)
	go func() {
		defer ticker.Stop()
		last := time.Now()
		for {
			select {
			case <-ended:
				return
			case now := <-ticker.C:
				if h.unlockedNow() && (slept(now.Round(0).Sub(last.Round(0)), now.Sub(last)) || h.revoked()) {
					_ = h.Lock() // the end of the process closes whatever this did not
				}
				last = now
			}
		}
	}()
	return sync.OnceFunc(func() { close(ended) })
}

// unlockedNow reports whether the archive is encrypted and unlocked.
func (h *Holder) unlockedNow() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keys != nil
}

// slept reports whether the machine slept meanwhile: then the time of day has advanced, but the running time of the
// process has not.
func slept(wall, ran time.Duration) bool { return wall-ran > asleep }
