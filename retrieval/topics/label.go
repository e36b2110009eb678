package topics

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	labelWords = 3
	// labelCandidates is how many of the most telling words are compared.
	labelCandidates = 40
	minLift         = 1.5    // how much more frequent a word of a label is in its topic than elsewhere
	minShare        = 0.08   // of the conversations of its topic that have it
	minTitles       = 0.05   // of the conversations of its topic that have it in their titles
	minOwn          = 1. / 3 // of all conversations with a word, in its topic: else it stands beside no other
	minScore        = 0.25   // of the score of the best word, from which on another one stands beside it
	// leastFresh is how much of its score a word keeps that adds no conversation to those of the words before it: a
	// word that all conversations have needs company, too.
	leastFresh = 0.15
)

// describe returns the topics of a division with their labels. IDs count from 1.
func (b *Builder) describe(vectors []vector, of []int32) []Topic {
	topics := make([]Topic, slices.Max(of)+1)
	for c, topic := range of {
		if topic >= 0 {
			topics[topic].Conversations = append(topics[topic].Conversations, int32(c))
		}
	}
	for n := len(topics); n > 0 && len(topics[n-1].Conversations) == 0; n-- {
		topics = topics[:n-1]
	}
	dense := make([]float32, len(b.terms))
	for i := range topics {
		topics[i].ID = i + 1
		topics[i].Middle = b.middle(vectors, topics[i].Conversations, dense)
	}
	for i, words := range b.labels(topics, of) {
		topics[i].Words = words
	}
	return topics
}

// middle returns the conversation whose vector is nearest to the sum of all, if possible one with a title of its own.
func (b *Builder) middle(vectors []vector, members []int32, dense []float32) int32 {
	sum := sumOf(vectors, members, dense)
	sum.spread(dense)
	at, most := members[0], math.Inf(-1)
	for _, c := range members {
		product := vectors[c].times(dense)
		if b.commonTitle[c] {
			product -= float64(len(members)) // behind all others
		}
		if product > most {
			at, most = c, product
		}
	}
	sum.sweep(dense)
	return at
}

// candidate is a word that may be in the label of a topic.
type candidate struct {
	term  int32
	score float64
	in    []int32 // the topic's conversations with it
	own   float64 // their share of all that have it
}

// labels returns the words of each topic. A word counts in conversations, not in occurrences: one long chat would
// otherwise speak for all. It has to be in titles of the topic: people and programs name what a chat is about, so that
// words of code and of a language's grammar are in many texts and in no title. A label's second word is the one that
// adds most to what the first covers, and so on. A topic without such words has an empty label.
func (b *Builder) labels(topics []Topic, of []int32) [][]string {
	counts, titles := make([]int, len(topics)), make([]int, len(topics)) // of conversations with the word
	var buffer []int32
	found := make([][]candidate, len(topics))
	for t := range b.terms {
		word := &b.terms[t]
		if b.Common != nil && b.Common(word.text) {
			continue
		}
		buffer = word.conversations(buffer[:0])
		clear(counts)
		for _, c := range buffer {
			if topic := of[c]; topic >= 0 {
				counts[topic]++
			}
		}
		clear(titles)
		for _, c := range b.titled[word.text] {
			if topic := of[c]; topic >= 0 {
				titles[topic]++
			}
		}
		for topic, y := range counts {
			size := len(topics[topic].Conversations)
			if y < 2 || float64(y) < minShare*float64(size) || float64(titles[topic]) < max(1, minTitles*float64(size)) {
				continue
			}
			rest := len(buffer) - y
			if float64(y)/float64(size) < minLift*float64(rest)/float64(max(1, len(of)-size)) {
				continue
			}
			g := rootLikelihoodRatio(y, size, rest, len(of)-size)
			if g == 0 {
				continue
			}
			in := make([]int32, 0, y)
			for _, c := range buffer {
				if of[c] == int32(topic) {
					in = append(in, c)
				}
			}
			share := float64(y) / float64(size)
			score := g * math.Sqrt(share*(float64(word.affinity)+affinityFloor))
			found[topic] = append(found[topic], candidate{int32(t), score, in, float64(y) / float64(len(buffer))})
		}
	}
	labels := make([][]string, len(topics))
	for i := range found {
		labels[i] = b.cover(found[i])
	}
	return labels
}

// rootLikelihoodRatio returns by how much something that y of n cases have, and x of the other m, differs between them:
// the root of the log-likelihood ratio G² of Dunning 1993. Unlike LogOdds it favors what is hardly anywhere else.
func rootLikelihoodRatio(y, n, x, m int) float64 {
	p := float64(y+x) / float64(n+m)
	sum := 0.0
	for _, cell := range []struct {
		count    int
		expected float64
	}{{y, p * float64(n)}, {n - y, (1 - p) * float64(n)}, {x, p * float64(m)}, {m - x, (1 - p) * float64(m)}} {
		if cell.count > 0 {
			sum += float64(cell.count) * math.Log(float64(cell.count)/cell.expected)
		}
	}
	return math.Sqrt(max(0, 2*sum))
}

// cover chooses words greedily by their score times the root of the share of their conversations that no word before
// has, which counts as at least leastFresh: a word that comes with another one adds little, and a rare one that comes
// alone is not preferred. A word of many topics, as way, says nothing beside another one, nor does a part of it, as gpt
// beside chatgpt.
func (b *Builder) cover(from []candidate) (words []string) {
	slices.SortFunc(from, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.term, y.term))
	})
	from = from[:min(len(from), labelCandidates)]
	least := 0.0
	if len(from) > 0 {
		least = minScore * from[0].score
	}
	covered := map[int32]bool{}
	for len(words) < labelWords {
		best, most := -1, 0.0
		for i, c := range from {
			if c.score < least || len(words) > 0 && c.own < minOwn || isPart(b.terms[c.term].text, words) {
				continue
			}
			fresh := 0
			for _, in := range c.in {
				if !covered[in] {
					fresh++
				}
			}
			share := leastFresh + (1-leastFresh)*float64(fresh)/float64(len(c.in))
			if score := c.score * math.Sqrt(share); score > most {
				best, most = i, score
			}
		}
		if best < 0 {
			break
		}
		words = append(words, b.terms[from[best].term].text)
		for _, c := range from[best].in {
			covered[c] = true
		}
		from = slices.Delete(from, best, best+1)
	}
	return words
}

// isPart reports whether a word begins or ends one of words, or one of them begins or ends it, as gpt does chatgpt.
func isPart(word string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isEnd(w, word) || isEnd(word, w) })
}

// leastPart is the length of the shortest part of a word, in bytes: go is none of mongo.
const leastPart = 3

func isEnd(word, part string) bool {
	return len(part) >= leastPart && (strings.HasPrefix(word, part) || strings.HasSuffix(word, part))
}
