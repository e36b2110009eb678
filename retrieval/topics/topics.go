// Package topics finds what the conversations of an archive are about, from their words and titles. It is pure: words
// and counts in, topics out, and the same input gives the same topics on every machine.
//
// The rules are:
//
//   - A topic is a group of conversations, not of words: words that are frequent together in a month are mostly noise.
//   - A word weighs as much as titles confirm it. The title affinity of a word is the share of the conversations with
//     it in their texts that have it in their titles too: a stop list for every language, learned from the archive.
//   - Conversations are joined to their nearest neighbors, and the graph is divided by Louvain's method. A group whose
//     parts have little in common is split, groups that are about the same thing are merged, and then those that differ
//     least until at most MaxTopics are left.
//   - A conversation that has little in common with the others of its topic is in none, as most are that come once.
//   - Where topics would be noise, because there are few conversations or their titles say nothing about them, there
//     are none, and Silence says why.
//   - A topic keeps its ID and its words while the archive grows: Keep compares the old topics with the new ones.
package topics

import "cmp"

// MaxTopics is the number of topics that an archive is divided into at most: what a person can tell apart.
const MaxTopics = 20

// minConversations is the number of conversations below which groups of them say nothing.
const minConversations = 30

// minTitled is the share of the conversations that must have a word of their titles in their texts.
const minTitled = 0.5

// Silence is the reason why there are no topics; "" if there are.
type Silence string

// The reasons to have no topics.
const (
	TooFew    Silence = "too few conversations"
	Untitled  Silence = "the titles of most conversations share no word with their texts"
	Scattered Silence = "the conversations have too little in common"
)

// Topic is a group of conversations about one thing.
type Topic struct {
	// ID stays the same as the archive grows, once Keep has compared the topic with those of before. IDs begin at 1.
	ID int
	// Words are up to three terms that set the topic apart, the most telling first, as the keyword index spells them.
	Words []string
	// Middle is the conversation that is nearest to the middle of the topic. Its title may stand for all.
	Middle int32
	// Conversations are ascending.
	Conversations []int32
}

// Division divides the conversations of an archive into topics, the largest first.
type Division struct {
	Topics  []Topic
	Of      []int32 // by conversation: the index of its topic, -1 for none
	Clear   []bool  // by conversation: most of its nearest neighbors are in its topic, too
	Silence Silence
}

// Options are for tests; the zero value is what Lens uses.
type Options struct {
	Seed uint64 // of the order in which Louvain's method visits the conversations; 0: 1
}

// Divide finds the topics of the conversations of b, which must not be used afterwards.
func (b *Builder) Divide(opts Options) *Division {
	d := &Division{Of: make([]int32, len(b.vectors)), Silence: b.silence()}
	if d.Silence != "" {
		for c := range d.Of {
			d.Of[c] = -1
		}
		return d
	}
	vectors := b.unitVectors()
	near := nearest(vectors, len(b.terms))
	groups := louvain(neighborGraph(near), cmp.Or(opts.Seed, 1))
	groups = splitGroups(vectors, groups, len(b.terms))
	d.Of = merge(vectors, groups, len(b.terms))
	d.Of = leaveOutliers(vectors, d.Of, len(b.terms))
	d.Clear = clearOnes(near, d.Of)
	d.Topics = b.describe(vectors, d.Of)
	if len(d.Topics) == 0 {
		d.Silence = Scattered
	}
	return d
}
