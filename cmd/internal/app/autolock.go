package app

import (
	"sync"
	"time"
)

// watchEvery is how often AutoLock checks. Tests check more often.
var watchEvery = 2 * time.Second

// asleep is how far the wall clock must run ahead of the process's clock for the machine to have slept.
const asleep = 10 * time.Second

// AutoLock locks the archive after idle without a touch (0: never), after the machine has slept, and when lens lock
// runs in another process; in a server also when the time that lens unlock granted is over. Call touch for each action
// of the user; stop ends the watch. The functions given to OnLock run after each lock.
//
// The lock does not come before the machine sleeps, but within seconds of its waking up.
func (l *App) AutoLock(idle time.Duration) (touch, stop func()) {
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
					_ = l.Lock() // the end of the process closes whatever this did not
				}
			}
		}
	}()
	return func() { w.touch(readClocks(time.Now())) }, sync.OnceFunc(func() { close(ended) })
}

// opened returns when the archive was unlocked, the zero time if it is locked or not encrypted.
func (l *App) opened() time.Time {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	if l.box.keys == nil {
		return time.Time{}
	}
	return l.box.since.Round(0)
}

// clocks pairs the time of day, which advances while the machine sleeps, with the running time of the process, which
// does not.
type clocks struct {
	wall time.Time
	ran  time.Duration
}

var began = time.Now()

func readClocks(now time.Time) clocks { return clocks{now.Round(0), now.Sub(began)} }

// watch decides when to lock.
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

// due reports whether to lock, at now, an archive that was unlocked at opened.
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
