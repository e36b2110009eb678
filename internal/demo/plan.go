package demo

import (
	"slices"
	"time"
)

// talk is a conversation that is going to be written.
type talk struct {
	topic *topic
	start time.Time
	until time.Time // when the export was made
	phase float64   // of its topic's episode, 0 to 1
	turns int
	only  *exchange // what it is about, when it happens once
}

// plan spreads conversations over the months as the topics' curves say, and sorts them, the newest first.
func plan(topics []*topic, opts Options) []talk {
	until := opts.Until.UTC()
	first := time.Date(until.Year(), until.Month()-months+1, 1, 0, 0, 0, 0, time.UTC)
	p := &planner{dice: newDice(opts.Seed, 0), first: first, until: until.AddDate(0, 0, 1)}
	for m := range p.moods {
		p.moods[m] = float64(p.between(65, 135)) / 100
	}
	perWeight := float64(opts.Turns-onceOnly(topics)) / totalWeight(topics, first)
	for _, t := range topics {
		p.topic(t, perWeight)
		p.landmarks(t)
	}
	slices.SortStableFunc(p.talks, func(a, b talk) int { return b.start.Compare(a.start) })
	return p.talks
}

func totalWeight(topics []*topic, first time.Time) (sum float64) {
	for _, t := range topics {
		for m := range months {
			sum += t.in(m, first.AddDate(0, m, 0).Month())
		}
	}
	return sum
}

func onceOnly(topics []*topic) (n int) {
	for _, t := range topics {
		for i := range t.exchanges {
			if t.exchanges[i].once != nil {
				n++
			}
		}
	}
	return n
}

type planner struct {
	*dice
	first, until time.Time
	moods        [months]float64 // how talkative the months are, which keeps the curves from being too smooth
	talks        []talk
}

// topic plans the conversations of one topic: whenever enough turns are due for the next one, and with what is left before a silence.
func (p *planner) topic(t *topic, perWeight float64) {
	due, next := 0.0, p.length()
	for m := range months {
		month := p.first.AddDate(0, m, 0)
		due += t.in(m, month.Month()) * perWeight * p.moods[m]
		last := m+1 == months || t.in(m+1, month.AddDate(0, 1, 0).Month()) == 0
		for due >= 1 && (last || due >= float64(next)) {
			turns := min(next, int(due))
			p.talks = append(p.talks, talk{topic: t, start: p.moment(t, month), until: p.until, phase: t.life.phase(m), turns: turns})
			due, next = due-float64(turns), p.length()
		}
	}
}

// landmarks plans what happens once.
func (p *planner) landmarks(t *topic) {
	for i := range t.exchanges {
		e := &t.exchanges[i]
		if e.once == nil {
			continue
		}
		day := p.first.AddDate(0, e.once.month, e.once.day-1)
		p.talks = append(p.talks, talk{topic: t, start: p.clock(t, day), until: p.until, turns: 1, only: e})
	}
}

// length is how many turns a conversation has: mostly few.
func (p *planner) length() int {
	n := 1
	for n < 12 && p.chance(78) {
		n++
	}
	return n
}

// moment is a day and a time at which the topic comes up, in a month. The last month may be cut short.
func (p *planner) moment(t *topic, month time.Time) time.Time {
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
	return p.clock(t, day)
}

func (p *planner) clock(t *topic, day time.Time) time.Time {
	hour := p.between(t.firstHour, t.lastHour-1)
	return day.Add(time.Duration(hour)*time.Hour + time.Duration(p.upTo(3600_000))*time.Millisecond)
}
