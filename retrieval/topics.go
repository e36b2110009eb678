package retrieval

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/retrieval/topics"
	"lens/store/terms"
)

// Topics is what an archive is about, the largest topic first.
type Topics struct {
	Topics []Topic `json:"topics"`
	Bin    string  `json:"bin"`              // of the histograms
	Turns  int     `json:"turns"`            // of all chats in the window, on active paths
	Others int     `json:"-"`                // turns of documents and records, which belong to no topic
	Notice string  `json:"notice,omitempty"` // why there are no topics, or that they are those of an earlier archive
}

// Rest returns how many turns are in chats without a topic; 0 if there are no topics.
func (t *Topics) Rest() int {
	if len(t.Topics) == 0 {
		return 0
	}
	rest := t.Turns
	for _, topic := range t.Topics {
		rest -= topic.Turns
	}
	return rest
}

// Topic is a group of conversations about one thing. Counts are of the window; Returned is of all times.
type Topic struct {
	ID            int           `json:"id"`    // stays the same while the archive grows
	Label         string        `json:"label"` // the words, joined
	Words         []string      `json:"words"` // up to three, the most telling first
	Title         string        `json:"title"` // of the conversation in the middle
	Turns         int           `json:"turns"`
	Conversations int           `json:"conversations"`
	First         *time.Time    `json:"first"` // time of its first dated turn; null for none
	Last          *time.Time    `json:"last"`
	Bins          []ActivityBin `json:"buckets"` // the same for all topics
	Peaks         []Peak        `json:"peaks"`   // where it stands out among all turns, in order of time
	Returned      *TopicReturn  `json:"returned,omitempty"`
}

// TopicReturn says that a topic came back after a silence that chance does not explain.
type TopicReturn struct {
	Left time.Time `json:"left"` // the last day before the silence
	Back time.Time `json:"back"` // the first day after it
	Days int       `json:"days"` // between them
	P    float64   `json:"p"`    // the probability of so long a silence by chance: topics.Returned
}

// Months returns the length of the silence in months, rounded.
func (r TopicReturn) Months() int { return int(float64(r.Days)/30.44 + 0.5) }

// Topics returns what the archive is about and when, in the window and the bins of q; the rest of q is ignored. It
// reads what MakeTopics has kept and takes milliseconds: the explorer may call it for each screen. Errors: invalid.
func (e *Engine) Topics(ctx context.Context, q query.Query) (*Topics, error) {
	window := query.Filter{Since: q.Filter.Since, Until: q.Filter.Until}
	if err := window.Validate(query.Query{Filter: window}); err != nil {
		return nil, err
	}
	by, err := parseBin("topics", q.Bin, q.AutoBins)
	if err != nil {
		return nil, err
	}
	var found *Topics
	err = e.readConsistently(ctx, func(a *snapshot) error {
		t, err := e.topics.load(ctx, a)
		if err != nil {
			return err
		}
		found, err = countTopics(a, t, window, by)
		return err
	})
	return found, err
}

// countTopics counts the turns of topics over time.
func countTopics(a *snapshot, t *archiveTopics, window query.Filter, by binning) (*Topics, error) {
	found := &Topics{Topics: []Topic{}, Notice: t.notice()}
	if t == nil {
		return found, nil
	}
	times, undated, seen := make([][]int64, len(t.Topics)), make([]int, len(t.Topics)), make([][]int32, len(t.Topics))
	var all []int64
	lo, hi := a.RowRange(storeFilter(window))
	for row := lo; row < hi; row++ {
		if a.isOnPath(row) && a.IsChunk(row) {
			found.Others++
		}
	}
	for row := range a.rowsOfChats(window) {
		found.Turns++
		if row < a.Dated {
			all = append(all, a.allTimes[row])
		}
		c := a.Conversation[row]
		topic := t.of[c]
		if topic < 0 {
			continue
		}
		seen[topic] = append(seen[topic], c)
		if row < a.Dated {
			times[topic] = append(times[topic], a.allTimes[row])
		} else {
			undated[topic]++
		}
	}
	began := a.began()
	shown := dateRangeOf(all)
	for i := range t.Topics {
		h, err := histogram("topics", times[i], all, undated[i], shown, by)
		if err != nil {
			return nil, err
		}
		found.Bin = h.Bin
		if h.Total == 0 {
			continue
		}
		topic := t.describe(i)
		topic.Turns, topic.Conversations = h.Total, distinct(seen[i])
		if d := dateRangeOf(times[i]); d.dated {
			first, last := fromSecond(d.first), fromSecond(d.last)
			topic.First, topic.Last = &first, &last
		}
		for _, b := range h.Bins {
			topic.Bins = append(topic.Bins, ActivityBin{b.Start, b.End, b.Count})
		}
		topic.Peaks, topic.Returned = topicPeaks(&h), t.returned(int32(i), began)
		found.Topics = append(found.Topics, topic)
	}
	slices.SortStableFunc(found.Topics, func(x, y Topic) int { return y.Turns - x.Turns })
	return found, nil
}

// rowsOfChats yields the rows of chats on active paths in a window.
func (a *snapshot) rowsOfChats(window query.Filter) func(yield func(row int) bool) {
	return func(yield func(row int) bool) {
		lo, hi := a.RowRange(storeFilter(window))
		for row := lo; row < hi; row++ {
			if a.isOnPath(row) && !a.IsChunk(row) && !yield(row) {
				return
			}
		}
	}
}

// began returns the days since 1970 on which conversations began; -1 where that is not known.
func (a *snapshot) began() []int {
	days := make([]int, len(a.Conversations))
	for c := range days {
		days[c] = -1
	}
	for row := range a.Dated {
		if c := a.Conversation[row]; days[c] < 0 {
			days[c] = int(a.allTimes[row] / 86400)
		}
	}
	return days
}

// distinct counts the different values of list, which it sorts.
func distinct(list []int32) int {
	slices.Sort(list)
	return len(slices.Compact(list))
}

// topicPeaks returns where the counts of a topic stand out among the turns of its bins.
func topicPeaks(h *Histogram) []Peak {
	counts, baselines := make([]int, len(h.Bins)), make([]int, len(h.Bins))
	for i, b := range h.Bins {
		counts[i], baselines[i] = b.Count, b.Baseline
	}
	peaks := []Peak{}
	for _, p := range timebin.Peaks(counts, baselines, timebin.Outside{}) {
		peaks = append(peaks, peakOf(h, p))
	}
	return peaks
}

// describe returns a topic without its counts.
func (t *archiveTopics) describe(i int) Topic {
	k := &t.Topics[i]
	return Topic{ID: k.ID, Label: k.label(), Words: k.Words, Title: k.Title}
}

// label joins the words of a topic; its title stands in for them where it has none.
func (t *keptTopic) label() string {
	if len(t.Words) == 0 {
		return t.Title
	}
	return strings.Join(t.Words, " · ")
}

// returned says whether a topic came back after a silence. Conversations that do not clearly belong to it could break
// one.
func (t *archiveTopics) returned(topic int32, began []int) *TopicReturn {
	var days []int
	for c, of := range t.of {
		if of == topic && t.clear[c] && began[c] >= 0 {
			days = append(days, began[c])
		}
	}
	r, ok := topics.Returned(days)
	if !ok {
		return nil
	}
	day := func(n int) time.Time { return fromSecond(int64(n) * 86400) }
	return &TopicReturn{Left: day(r.Left), Back: day(r.Back), Days: r.Days(), P: r.P}
}

// TopicNames returns the first word of the label of each topic, that of the largest topic first, for completion: the
// filter topic finds topics by a word. Errors: see Peek.
func (e *Engine) TopicNames(ctx context.Context) ([]string, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	t, err := e.topics.load(ctx, a)
	if err != nil || t == nil {
		return nil, err
	}
	var names []string
	for i := range t.Topics {
		if words := t.Topics[i].Words; len(words) > 0 {
			names = append(names, words[0])
		}
	}
	return names, nil
}

// The sentences that say why there are no topics, or not those of the present archive.
const (
	topicsUnknown   = "The topics are not known yet: lens topics finds them."
	topicsEarlier   = "The topics are those of an earlier archive: lens topics finds those of new chats."
	topicsTooFew    = "There are too few chats to find topics in."
	topicsUntitled  = "No topics: the titles of most chats share no word with their texts."
	topicsScattered = "No topics: the chats have too little in common."
)

// notice says why there are no topics, or that they are those of an earlier archive.
func (t *archiveTopics) notice() string {
	switch {
	case t == nil:
		return topicsUnknown
	case t.Silence == topics.TooFew:
		return topicsTooFew
	case t.Silence == topics.Untitled:
		return topicsUntitled
	case t.Silence == topics.Scattered:
		return topicsScattered
	case !t.current:
		return topicsEarlier
	}
	return ""
}

// having returns which conversations belong to a topic that is called so: by its ID, or by words that are all among
// its words or in its title. Errors: invalid.
func (x *topicIndex) having(ctx context.Context, a *snapshot, name string) ([]bool, error) {
	t, err := x.load(ctx, a)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, invalid("filter", "run lens topics", "topic: the topics of this archive are not known yet")
	}
	matches := t.named(name)
	if len(matches) == 0 {
		return nil, invalid("filter", "lens topics lists the topics", "topic: no topic is called %q", name)
	}
	has := make([]bool, len(t.of))
	for c, topic := range t.of {
		has[c] = topic >= 0 && slices.Contains(matches, topic)
	}
	return has, nil
}

// named returns the topics that are called so.
func (t *archiveTopics) named(name string) (found []int32) {
	id, err := strconv.Atoi(strings.TrimSpace(name))
	for i := range t.Topics {
		if err == nil && t.Topics[i].ID == id {
			return []int32{int32(i)}
		}
	}
	words := terms.Query(name)
	if len(words) == 0 {
		return nil
	}
	for i := range t.Topics { // one that is called exactly so is meant alone
		if slices.Equal(words, terms.Query(strings.Join(t.Topics[i].Words, " "))) {
			return []int32{int32(i)}
		}
	}
	for i := range t.Topics {
		k := &t.Topics[i]
		known := append(terms.Query(fmt.Sprint(k.Words, k.Title)), k.Terms...)
		if !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(known, word) }) {
			found = append(found, int32(i))
		}
	}
	return found
}

// TopicOf returns the ID of the topic that a conversation belongs to; 0 for none. Errors: those of reading the archive.
func (e *Engine) TopicOf(ctx context.Context, conversation uuid.UUID) (int, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return 0, err
	}
	t, err := e.topics.load(ctx, a)
	if err != nil || t == nil {
		return 0, err
	}
	if c := a.ConversationIndex(conversation); c >= 0 && t.of[c] >= 0 {
		return t.Topics[t.of[c]].ID, nil
	}
	return 0, nil
}
