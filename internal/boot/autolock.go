package boot

import (
	"sync"
	"time"
)

// watchEvery is how often AutoLock looks; tests look oftener.
var watchEvery = 2 * time.Second

// asleep is how much more than the process's own clock the wall's must have gone on for the machine to have slept.
const asleep = 10 * time.Second

// AutoLock locks the archive when nothing was touched for idle (0: never for that), when the machine has slept, and when lens lock is said
// elsewhere; a server also when the time is over for which lens unlock opened it. touch is to be called for what a person does; stop ends the watch. What follows the lock is told by OnLock.
//
// A machine that falls asleep is not told to wait: the archive is locked within seconds of its waking up.
func (l *Lens) AutoLock(idle time.Duration) (touch, stop func()) {
	w := newWatch(idle, readClocks(time.Now()))
	ended := make(chan struct{})
	ticker := time.NewTicker(watchEvery)
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case now := <-ticker.C:
				opened := l.opened()
				if due := w.due(readClocks(now), opened); !opened.IsZero() && (due || l.toldToLock() || l.overdue()) {
					_ = l.Lock() // what could not be closed is closed with the process
				}
			}
		}
	}()
	return func() { w.touch(readClocks(time.Now())) }, sync.OnceFunc(func() { close(ended) })
}

// opened returns since when the archive has been unlocked; zero when it is locked, or not encrypted.
func (l *Lens) opened() time.Time {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	if l.box.keys == nil {
		return time.Time{}
	}
	return l.box.since.Round(0)
}

// clocks are the time of day, which goes on while the machine sleeps, and how long the process has run, which does not.
type clocks struct {
	wall time.Time
	ran  time.Duration
}

var began = time.Now()

func readClocks(now time.Time) clocks { return clocks{now.Round(0), now.Sub(began)} }

// watch knows when it is time to lock.
type watch struct {
	idle time.Duration

	mu      sync.Mutex
	touched time.Time
	last    clocks
}

func newWatch(idle time.Duration, now clocks) *watch {
	return &watch{idle: idle, touched: now.wall, last: now}
}

func (w *watch) touch(now clocks) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.touched = now.wall
}

// due reports whether an archive that was opened then is to be locked now.
func (w *watch) due(now clocks, opened time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	slept := now.wall.Sub(w.last.wall) - (now.ran - w.last.ran)
	w.last = now
	if opened.After(w.touched) {
		w.touched = opened
	}
	return slept > asleep || w.idle > 0 && now.wall.Sub(w.touched) >= w.idle
}
