package topics

import (
	"cmp"
	"slices"
)

// Tally counts turns, and conversations with at least one of them.
type Tally struct{ Turns, Conversations int }

// minus returns what is in t and not in part.
func (t Tally) minus(part Tally) Tally {
	return Tally{t.Turns - part.Turns, t.Conversations - part.Conversations}
}

// Part is what a topic has of a period.
type Part struct {
	Topic int // its index
	Tally
	Share float64 // of the turns of the period, 0..1
	Usual float64 // its share of the turns of all other times, 0..1; 0 without other times
	Z     float64 // of its conversations in the period against those of other times: LogOdds
}

// Unusual reports whether a period has more of the topic than usual, in turns and, beyond chance, in conversations.
func (p Part) Unusual() bool { return p.Z > Unusual && p.Share > p.Usual }

// Less reports whether a period has at most half of the usual turns of the topic and, beyond chance, less of its
// conversations.
func (p Part) Less() bool { return p.Z <= -rare && 2*p.Share <= p.Usual }

// Describe returns the parts that topics have of a period, those with most turns first. in are the tallies of the
// topics in the period and inAll is that of all its turns; ever and everAll are those of all times.
func Describe(in []Tally, inAll Tally, ever []Tally, everAll Tally) []Part {
	var parts []Part
	rest := everAll.minus(inAll)
	for topic, t := range in {
		if t.Turns == 0 {
			continue
		}
		other := ever[topic].minus(t)
		parts = append(parts, Part{
			Topic: topic, Tally: t, Share: share(t.Turns, inAll.Turns), Usual: share(other.Turns, rest.Turns),
			Z: LogOdds(t.Conversations, inAll.Conversations, other.Conversations, rest.Conversations),
		})
	}
	slices.SortStableFunc(parts, func(x, y Part) int { return cmp.Compare(y.Turns, x.Turns) })
	return parts
}
