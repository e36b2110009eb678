package retrieval

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"lens/retrieval/topics"
	"lens/store"
	"lens/store/terms"
)

// Topics are made of the whole keyword index, which takes seconds in a large archive, so they are kept with the archive
// and shown from there. Topics of an earlier state are shown until someone makes those of the present one.

const (
	keptTopicsName = "topics"
	// topicsVersion is that of the method and of the encoding. Topics of another version are made again.
	topicsVersion = 5
)

// keptTopics are topics as they are kept.
type keptTopics struct {
	Version int            `json:"version"`
	Silence topics.Silence `json:"silence,omitempty"`
	Next    int            `json:"next"` // the first ID that no topic ever had
	Topics  []keptTopic    `json:"topics"`
}

type keptTopic struct {
	ID    int      `json:"id"`
	Terms []string `json:"terms"` // of the keyword index
	Words []string `json:"words"` // as people write them
	Title string   `json:"title"`
	// Conversations are the ids of its conversations, one after the other. The first Clear of them belong to it clearly.
	Conversations []byte `json:"conversations"`
	Clear         int    `json:"clear"`
}

// KeepTopics stores the topics of an archive, as store.Tx.PutKept does.
type KeepTopics func(ctx context.Context, name string, of int64, data []byte) error

// topicIndex knows the topics of an archive.
type topicIndex struct {
	source Source
	making *semaphore.Weighted // of 1: its holder makes topics

	mu     sync.Mutex
	of     int64 // the state of the turns that kept was made of
	kept   *keptTopics
	joined *archiveTopics
}

// archiveTopics are topics, as the conversations of a snapshot.
type archiveTopics struct {
	*keptTopics
	version int64   // of the catalog
	of      []int32 // by conversation: the index of its topic, -1 for none
	clear   []bool  // by conversation
	current bool    // they are those of the present turns
}

// load returns the topics of a snapshot; nil if none are known.
func (x *topicIndex) load(ctx context.Context, a *snapshot) (*archiveTopics, error) {
	reader, ok := x.source.(store.KeptReader)
	if !ok {
		return nil, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.joined != nil && x.joined.version == a.Version {
		return x.joined, nil
	}
	stored, err := reader.Kept(ctx, keptTopicsName)
	if err != nil {
		return nil, err
	}
	switch {
	case stored.Data != nil && (x.kept == nil || x.of != stored.Of && x.of != stored.Now):
		x.kept, x.of = decodeTopics(stored.Data), stored.Of
	case stored.Data == nil && x.of != stored.Now:
		x.kept = nil // something was forgotten, and what is in memory may have words of it
	}
	if x.kept == nil {
		return nil, nil
	}
	x.joined = x.kept.join(a)
	x.joined.current = x.of == stored.Now
	return x.joined, nil
}

// decodeTopics returns kept topics, nil if there are none of this version.
func decodeTopics(data []byte) *keptTopics {
	var k keptTopics
	if json.Unmarshal(data, &k) != nil || k.Version != topicsVersion {
		return nil
	}
	for i := range k.Topics {
		t := &k.Topics[i]
		if len(t.Conversations)%len(uuid.Nil) != 0 || t.Clear < 0 || t.Clear > t.size() {
			return nil
		}
	}
	return &k
}

// size returns the number of conversations.
func (t *keptTopic) size() int { return len(t.Conversations) / len(uuid.Nil) }

// eachConversation calls see with the ids of its conversations.
func (t *keptTopic) eachConversation(see func(i int, id uuid.UUID)) {
	for i := range t.size() {
		see(i, uuid.UUID(t.Conversations[i*len(uuid.Nil):]))
	}
}

// join finds the conversations of topics in a snapshot. Those that are gone, or came later, have no topic.
func (k *keptTopics) join(a *snapshot) *archiveTopics {
	index := make(map[uuid.UUID]int32, len(a.Conversations))
	t := &archiveTopics{
		keptTopics: k, version: a.Version,
		of: make([]int32, len(a.Conversations)), clear: make([]bool, len(a.Conversations)),
	}
	for c, id := range a.Conversations {
		index[id], t.of[c] = int32(c), -1
	}
	for i := range k.Topics {
		topic := &k.Topics[i]
		topic.eachConversation(func(n int, id uuid.UUID) {
			if c, known := index[id]; known {
				t.of[c], t.clear[c] = int32(i), n < topic.Clear
			}
		})
	}
	return t
}

// MakeTopics makes the topics of the present archive, unless they are known, and passes them to keep; nil keeps them
// in memory alone. Meanwhile, searches and Topics go on. It takes 3 s and up to 140 MB for 100,000 turns. Errors: those
// of reading the archive and of keep.
func (e *Engine) MakeTopics(ctx context.Context, keep KeepTopics) error {
	reader, ok := e.source.(store.KeptReader)
	if !ok {
		return nil
	}
	x := e.topics
	if err := x.making.Acquire(ctx, 1); err != nil {
		return err
	}
	defer x.making.Release(1)
	stored, err := reader.Kept(ctx, keptTopicsName) // before the rest is read: keep compares it with the state then
	if err != nil {
		return err
	}
	before := decodeTopics(stored.Data)
	if before != nil && stored.Current() {
		x.learn(before, stored.Of) // another process may have made them
		return nil
	}
	made := x.madeOf(stored.Now)
	if made == nil {
		err := e.readConsistently(ctx, func(a *snapshot) (err error) {
			made, err = e.makeTopics(ctx, a, reader, before)
			return err
		})
		if err != nil {
			return err
		}
		x.learn(made, stored.Now)
	}
	if keep == nil {
		return nil
	}
	data, err := json.Marshal(made)
	if err != nil {
		return err
	}
	return keep(ctx, keptTopicsName, stored.Now, data)
}

// madeOf returns the topics in memory if they are those of a state of the turns, else nil.
func (x *topicIndex) madeOf(of int64) *keptTopics {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.of != of {
		return nil
	}
	return x.kept
}

// learn remembers topics.
func (x *topicIndex) learn(k *keptTopics, of int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.kept != nil && x.of == of {
		return
	}
	x.kept, x.of, x.joined = k, of, nil
}

// makeTopics makes the topics of a snapshot. Those that continue topics of before keep their IDs.
func (e *Engine) makeTopics(
	ctx context.Context, a *snapshot, reader store.KeptReader, before *keptTopics,
) (*keptTopics, error) {
	titles, err := e.titles.load(ctx, a)
	if err != nil {
		return nil, err
	}
	chats := chatsOf(a)
	builder := topics.NewBuilder(chats.titleTerms(titles))
	common := titles.functionWords()
	builder.Common = func(term string) bool { return common[term] || terms.IsFunctionWord(term) }
	if err := chats.addTerms(ctx, reader, a, builder); err != nil {
		return nil, err
	}
	d := builder.Divide(topics.Options{})
	made := &keptTopics{Version: topicsVersion, Silence: d.Silence, Next: 1, Topics: []keptTopic{}}
	if before != nil {
		was := before.join(a).before(chats)
		made.Next = d.Keep(was, before.Next)
	} else {
		made.Next = len(d.Topics) + 1
	}
	for _, topic := range d.Topics {
		kept := keptTopic{ID: topic.ID, Terms: topic.Words, Title: titles.text[chats.index[topic.Middle]]}
		for _, clear := range []bool{true, false} {
			for _, c := range topic.Conversations {
				if d.Clear[c] == clear {
					id := a.Conversations[chats.index[c]]
					kept.Conversations = append(kept.Conversations, id[:]...)
				}
			}
			if clear {
				kept.Clear = kept.size()
			}
		}
		made.Topics = append(made.Topics, kept)
	}
	return made, e.spellTopics(ctx, a, titles, made)
}

// chats are the conversations that topics are made of: those of people, not documents, with a turn on the active path.
type chats struct {
	index  []int32 // their indices in the catalog
	number []int32 // by index in the catalog: their number among chats, -1 for others
}

func chatsOf(a *snapshot) *chats {
	c := &chats{number: make([]int32, len(a.Conversations))}
	for i := range c.number {
		c.number[i] = -1
	}
	for row := range a.onPath.All() {
		if i := a.Conversation[row]; c.number[i] < 0 && !a.IsChunk(int(row)) {
			c.number[i] = int32(len(c.index))
			c.index = append(c.index, i)
		}
	}
	return c
}

// titleTerms returns the distinct terms of the titles of chats.
func (c *chats) titleTerms(t *titles) [][]string {
	all := make([][]string, len(c.index))
	for word, in := range t.with {
		for _, i := range in {
			if n := c.number[i]; n >= 0 {
				all[n] = append(all[n], word)
			}
		}
	}
	for _, words := range all {
		slices.Sort(words)
	}
	return all
}

// addTerms adds the words of the keyword index to a builder.
func (c *chats) addTerms(ctx context.Context, reader store.KeptReader, a *snapshot, b *topics.Builder) error {
	var in []int32
	var counts []uint32
	return reader.EachTerm(ctx, func(term string, p store.Postings) error {
		if store.IsFact(term) {
			return nil
		}
		in, counts = in[:0], counts[:0]
		for i, ord := range p.Ords {
			row, alive := a.Row(ord)
			if !alive || !a.isOnPath(row) {
				continue
			}
			if n := c.number[a.Conversation[row]]; n >= 0 {
				in, counts = append(in, n), append(counts, p.Counts[i])
			}
		}
		b.Add(term, in, counts)
		return ctx.Err()
	})
}

// before returns the topics with the numbers of their conversations among chats.
func (t *archiveTopics) before(c *chats) []topics.Before {
	all := make([]topics.Before, len(t.Topics))
	for i, topic := range t.Topics {
		all[i] = topics.Before{ID: topic.ID, Words: topic.Terms}
	}
	for n, i := range c.index {
		if topic := t.of[i]; topic >= 0 {
			all[topic].Conversations = append(all[topic].Conversations, int32(n))
		}
	}
	return all
}
