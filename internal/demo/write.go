package demo

import (
	"time"
)

// writer writes one conversation, node by node.
type writer struct {
	renderer
	planned plannedConversation
	model   string
	slim    bool
	now     time.Time
	nodes   map[string]node
	last    string // the node that the next one answers to; "" before the root
}

// write writes a planned conversation.
func write(planned plannedConversation, r *rng) conversation {
	w := &writer{
		renderer: renderer{r, planned.topic, map[string]string{}}, planned: planned, slim: r.chance(35),
		now: planned.start, nodes: map[string]node{}, model: modelAt(planned.start, r.upTo(6)),
	}
	w.root()
	var title string
	used := map[[2]int]bool{}
	for i := range planned.turns {
		e, variant := w.next(used)
		if i == 0 {
			title = w.title(e)
		}
		w.turn(e, variant, i == 0)
	}
	return w.conversation(title)
}

// next chooses the next question: one that was not asked yet, as long as this phase has any left.
func (w *writer) next(used map[[2]int]bool) (*exchange, int) {
	if w.planned.only != nil {
		return w.planned.only, 0
	}
	best, bestAt := -1, [2]int{}
	for i := range w.topic.exchanges {
		e := &w.topic.exchanges[i]
		if !e.fits(w.planned.phase) {
			continue
		}
		asked := 0
		for v := range e.questions {
			if used[[2]int{i, v}] {
				asked++
			}
		}
		for v := range e.questions {
			if rank := w.upTo(1000) + 1000*(12-asked); !used[[2]int{i, v}] && rank > best {
				best, bestAt = rank, [2]int{i, v}
			}
		}
	}
	used[bestAt] = true
	return &w.topic.exchanges[bestAt[0]], bestAt[1]
}

// fits reports whether e belongs to a phase of an episode.
func (e *exchange) fits(phase float64) bool {
	switch e.when {
	case "early":
		return phase < 0.6
	case "late":
		return phase > 0.35
	}
	return e.once == nil
}

// turn writes a question and its answer, and now and then an abandoned version of one of them.
func (w *writer) turn(e *exchange, variant int, first bool) {
	w.pause(first)
	if w.chance(4) && len(e.questions) > 1 {
		w.abandonQuestion(e, (variant+1)%len(e.questions), first)
	}
	text, photo := w.question(e, variant, first)
	w.addQuestion(text, photo)
	if w.chance(5) {
		w.abandonAnswer(e, variant)
	}
	w.addThoughts()
	if e.questions[variant].whole == "" {
		w.addWebSearch(e)
		w.addCodeRun(e)
	}
	w.wait(5, 40)
	w.addAnswer(w.answer(e, variant), e.search)
}

// pause advances the time to the next question: mostly by minutes, sometimes by days.
func (w *writer) pause(first bool) {
	switch {
	case first:
	case w.chance(3) && w.now.AddDate(0, 0, 10).Before(w.planned.until):
		w.now = w.now.Add(time.Duration(w.between(20, 200)) * time.Hour)
	default:
		w.wait(40, 900)
	}
}

// wait advances the time by lo to hi seconds.
func (w *writer) wait(lo, hi int) {
	w.now = w.now.Add(time.Duration(w.between(lo*1000, hi*1000)) * time.Millisecond)
}

// abandonQuestion writes a question and its answer, then goes back so that the next question replaces it.
func (w *writer) abandonQuestion(e *exchange, variant int, first bool) {
	before := w.last
	w.addQuestion(w.question(e, variant, first))
	w.wait(5, 40)
	w.addAnswer(w.answer(e, variant), "")
	w.last = before
	w.wait(20, 120)
}

// abandonAnswer writes an answer that the next one replaces.
func (w *writer) abandonAnswer(e *exchange, variant int) {
	before := w.last
	w.wait(5, 40)
	w.addAnswer(w.answer(e, variant), "")
	w.last = before
	w.wait(10, 60)
}

// conversation returns the finished conversation.
func (w *writer) conversation(title string) conversation {
	id := w.id()
	c := conversation{
		Title: &title, Created: seconds(w.planned.start), Updated: seconds(w.now), Mapping: w.nodes,
		ID: id, DuplicateID: id, Model: w.model, Memory: "global_enabled",
		SafeURLs: []string{}, BlockedURLs: []string{}, Moderation: []string{}, DisabledTool: []string{},
	}
	if !w.slim || w.chance(50) {
		c.Current = &w.last
	}
	if w.chance(2) {
		c.Title = nil // without a title, clients show its first question
	}
	if w.topic.gpt != "" && w.chance(25) {
		kind := "gpt"
		c.GPT, c.GPTKind = &w.topic.gpt, &kind
	}
	return c
}
