package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// tally counts responses by status and error code.
type tally struct {
	mu     sync.Mutex
	more   *sync.Cond
	now    map[string]int // since forget
	all    map[string]int
	bodies string // of errors
}

func newTally() *tally {
	t := &tally{now: map[string]int{}, all: map[string]int{}}
	t.more = sync.NewCond(&t.mu)
	return t
}

func (t *tally) ask(url string) {
	what, body := askOnce(url)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now[what]++
	t.all[what]++
	if what != "200 " && len(t.bodies) < 10_000 {
		t.bodies += body
	}
	t.more.Broadcast()
}

// wait waits for a response since forget.
func (t *tally) wait(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.now[what] == 0 {
		t.more.Wait()
	}
}

func (t *tally) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.now)
}

// askOnce sends one request and returns its status and error code, and the body.
func askOnce(url string) (what, body string) {
	response, err := http.Get(url)
	if err != nil {
		return err.Error(), ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error(), ""
	}
	var e struct{ Error struct{ Code string } }
	_ = json.Unmarshal(text, &e) // a successful response has no code
	return response.Status[:3] + " " + e.Error.Code, string(text)
}
