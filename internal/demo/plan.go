package demo

import (
	"slices"
	"time"
)

// plannedConversation says what a conversation is about, when it starts and how long it is.
type plannedConversation struct {
	topic *topic
	start time.Time
	until time.Time // the time of the export
	phase float64   // position in its topic's episode, 0 to 1
	turns int
	only  *exchange // the single exchange of a one-time event; nil: any of the topic's
}

// plan distributes conversations over the months by the topics' curves, and sorts them, newest first.
func plan(topics []*topic, opts Options) []plannedConversation {
	until := opts.Until.UTC()
	first := time.Date(until.Year(), until.Month()-months+1, 1, 0, 0, 0, 0, time.UTC)
	p := &planner{rng: newRNG(opts.Seed, 0), first: first, until: until.AddDate(0, 0, 1)}
	for m := range p.monthFactors {
		p.monthFactors[m] = float64(p.between(65, 135)) / 100
	}
	turnsPerWeight := float64(opts.Turns-countOneTimeEvents(topics)) / totalWeight(topics, first)
	for _, t := range topics {
		p.topic(t, turnsPerWeight)
		p.oneTimeEvents(t)
	}
	slices.SortStableFunc(p.conversations, func(a, b plannedConversation) int { return b.start.Compare(a.start) })
	return p.conversations
}

func totalWeight(topics []*topic, first time.Time) (sum float64) {
	for _, t := range topics {
		for m := range months {
			sum += t.weightIn(m, first.AddDate(0, m, 0).Month())
		}
	}
	return sum
}

func countOneTimeEvents(topics []*topic) (n int) {
	for _, t := range topics {
		for i := range t.exchanges {
			if t.exchanges[i].once != nil {
				n++
			}
		}
	}
	return n
}

// planner collects the planned conversations.
type planner struct {
	*rng
	first, until  time.Time
	monthFactors  [months]float64 // a factor for each month, so that the curves are not too smooth
	conversations []plannedConversation
}

// topic plans the conversations of one topic: one whenever enough turns are due, and one with the rest before an
// episode ends.
func (p *planner) topic(t *topic, turnsPerWeight float64) {
	due, next := 0.0, p.length()
	for m := range months {
		month := p.first.AddDate(0, m, 0)
		due += t.weightIn(m, month.Month()) * turnsPerWeight * p.monthFactors[m]
		last := m+1 == months || t.weightIn(m+1, month.AddDate(0, 1, 0).Month()) == 0
		for due >= 1 && (last || due >= float64(next)) {
			turns := min(next, int(due))
			p.conversations = append(p.conversations, plannedConversation{
				topic: t, start: p.timeIn(t, month), until: p.until, phase: t.activity.phase(m), turns: turns,
			})
			due, next = due-float64(turns), p.length()
		}
	}
}

// oneTimeEvents plans the exchanges that happen once.
func (p *planner) oneTimeEvents(t *topic) {
	for i := range t.exchanges {
		e := &t.exchanges[i]
		if e.once == nil {
			continue
		}
		day := p.first.AddDate(0, e.once.month, e.once.day-1)
		p.conversations = append(p.conversations, plannedConversation{
			topic: t, start: p.timeOn(t, day), until: p.until, turns: 1, only: e,
		})
	}
}

// length returns the number of turns of a conversation: 1 to 12, mostly few.
func (p *planner) length() int {
	n := 1
	for n < 12 && p.chance(78) {
		n++
	}
	return n
}

// timeIn returns a time in a month, on a day and at an hour that suit the topic. The last month may be cut short.
func (p *planner) timeIn(t *topic, month time.Time) time.Time {
	end := month.AddDate(0, 1, 0)
	if p.until.Before(end) {
		end = p.until
	}
	days := int(end.Sub(month).Hours() / 24)
	day := month
	for range 40 {
		day = month.AddDate(0, 0, p.upTo(days))
		weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
		if t.days == "" || p.chance(8) || weekend == (t.days == "weekend") {
			break
		}
	}
	return p.timeOn(t, day)
}

// timeOn returns a time on a day, at an hour that suits the topic.
func (p *planner) timeOn(t *topic, day time.Time) time.Time {
	hour := p.between(t.firstHour, t.lastHour-1)
	return day.Add(time.Duration(hour)*time.Hour + time.Duration(p.upTo(3600_000))*time.Millisecond)
}
