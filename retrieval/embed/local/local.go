// Package local runs small sentence encoders inside the program: no server, no shared library, and nothing leaves
// the machine.
//
// It knows two architectures: BERT, which XLM-RoBERTa shares but for its tokenizer (bge-small-en-v1.5,
// multilingual-e5-small), and the Universal Sentence Encoder Lite. Both are a stack of transformer layers over
// internal/simd's matrix product; bert.go and use.go hold the differences.
//
// The rules are:
//
//   - A text is split in windows of as many tokens as the model reads. The windows' unit vectors are averaged by
//     their number of tokens and normalized again. Nothing is cut off, except from queries.
//   - A query is cut at maxQueryTokens, because a person waits for it. It is cut before it is split in tokens.
//   - Texts are computed in batches of about batchTokens rows without padding: the linear layers see all rows at
//     once, attention sees one window at a time. So a text's vector does not depend on its batch beyond rounding.
//   - Weights are packed once, when a model is opened; embedding tables stay in the mapped file. After the first
//     batches a worker allocates nothing per token.
//   - A file with a wrong shape, type, size or offset is refused by name before anything is computed.
package local

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"lens/retrieval/embed"
)

// batchTokens is the maximum number of rows in a batch, unless one window alone is longer: enough for the weights
// to be read from memory once for many texts, small enough for a batch's activations to stay in the second-level
// cache.
const batchTokens = 512

// maxQueryTokens is one full batch: a few paragraphs, one window of most models. Its first tokens decide alone what a
// longer query means. 8 KiB of text would take a second of a processor.
const maxQueryTokens = batchTokens

// encoder is an architecture: it turns windows of token ids into unit vectors.
type encoder interface {
	dim() int
	// window is how many ids of a text fit into one window, without those that encode adds.
	maxTokens() int
	// encode fills out[i] with the unit vector of windows[i].
	encode(out [][]float32, windows [][]int32, w *workspace)
	close() error
}

// tokenizer splits a text in ids, appended to ids.
type tokenizer interface {
	encode(ids []int32, text string) []int32
}

// Model is an opened model. It is safe for concurrent use.
type Model struct {
	name   string
	prefix string // put before queries
	tokens tokenizer
	enc    encoder
	spare  sync.Pool // of *workspace
}

// Model returns "local" and the model's name.
func (m *Model) Model() (provider, name string) { return "local", m.name }

// Dim returns the length of the vectors.
func (m *Model) Dim() int { return m.enc.dim() }

// Close releases the model's files. The model must not be used afterwards.
func (m *Model) Close() error { return m.enc.close() }

// EmbedQuery returns the unit vector of a query, with the prefix that the model expects before queries. What exceeds
// maxQueryTokens is left out.
func (m *Model) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	e, err := m.embed(ctx, []string{m.prefix + text}, maxQueryTokens)
	if err != nil {
		return nil, err
	}
	return e[0].Values, nil
}

// Embed returns one unit vector per text, using all cores. It checks ctx between batches.
func (m *Model) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	return m.embed(ctx, texts, math.MaxInt)
}

// embed embeds the first limit tokens of each text.
func (m *Model) embed(ctx context.Context, texts []string, limit int) ([]embed.Embedding, error) {
	result := make([]embed.Embedding, len(texts))
	for i := range result {
		result[i].Values = make([]float32, m.Dim())
	}
	windows := m.split(texts, limit, result)
	if err := m.run(ctx, windows); err != nil {
		return make([]embed.Embedding, len(texts)), err
	}
	for _, w := range windows {
		addScaled(result[w.text].Values, w.vector, float32(max(1, len(w.ids))))
	}
	for i := range result {
		normalize(result[i].Values)
	}
	return result, nil
}

// window is a part of a text that the model reads at once.
type window struct {
	text   int
	ids    []int32
	vector []float32
}

// split splits the first limit tokens of texts in windows and sorts them by descending length, so that a batch holds
// windows of similar length and the last batch is small.
func (m *Model) split(texts []string, limit int, result []embed.Embedding) []window {
	var windows []window
	size := m.enc.maxTokens()
	for i, text := range texts {
		var ids []int32
		ids, result[i].Truncated = m.firstTokens(text, limit)
		result[i].Tokens = len(ids)
		for {
			n := min(size, len(ids))
			windows = append(windows, window{text: i, ids: ids[:n]})
			if ids = ids[n:]; len(ids) == 0 {
				break
			}
		}
	}
	dim := m.Dim()
	vectors := make([]float32, len(windows)*dim)
	for i := range windows {
		windows[i].vector = vectors[i*dim : (i+1)*dim]
	}
	slices.SortStableFunc(windows, func(a, b window) int { return len(b.ids) - len(a.ids) })
	return windows
}

// bytesPerToken is more than the average token of prose and code has.
const bytesPerToken = 6

// firstTokens returns the ids of the first limit tokens of a text, and whether it has more. It splits no more of the
// text than needed, and doubles that if it is too short: runs of blanks or of unknown characters have few tokens.
func (m *Model) firstTokens(text string, limit int) (ids []int32, more bool) {
	for size := bytesPerToken; ; size *= 2 {
		head := text
		if limit < len(text)/size {
			head = wholeWords(text, size*limit)
		}
		if ids = m.tokens.encode(ids[:0], head); len(ids) > limit {
			return ids[:limit], true
		}
		if len(head) == len(text) {
			return ids, false
		}
	}
}

// wholeWords returns at most n bytes of text, which is longer, without its last word; that word has part in other
// tokens if it is cut. A text without a blank is cut between two characters.
func wholeWords(text string, n int) string {
	if at := strings.LastIndexByte(text[:n+1], ' '); at > 0 {
		return text[:at]
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// run computes the windows' vectors, a batch at a time on each core.
func (m *Model) run(ctx context.Context, windows []window) error {
	batches := group(windows)
	var next atomic.Int64
	work := func() {
		w := m.workspace()
		defer m.spare.Put(w)
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(batches) {
				return
			}
			m.encodeBatch(batches[i], w)
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(batches)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	return ctx.Err()
}

func (m *Model) encodeBatch(batch []window, w *workspace) {
	ids, vectors := w.ids[:0], w.vectors[:0]
	for i := range batch {
		ids = append(ids, batch[i].ids)
		vectors = append(vectors, batch[i].vector)
	}
	m.enc.encode(vectors, ids, w)
	w.ids, w.vectors = ids, vectors
}

func (m *Model) workspace() *workspace {
	if w, ok := m.spare.Get().(*workspace); ok {
		return w
	}
	return &workspace{}
}

// group divides windows, sorted by length, into batches of at most batchTokens rows.
func group(windows []window) [][]window {
	var batches [][]window
	for start := 0; start < len(windows); {
		rows, end := 0, start
		for end < len(windows) && (end == start || rows+len(windows[end].ids) <= batchTokens) {
			rows += len(windows[end].ids)
			end++
		}
		batches = append(batches, windows[start:end])
		start = end
	}
	return batches
}

func addScaled(sum, v []float32, weight float32) {
	for i, x := range v {
		sum[i] += weight * x
	}
}

// normalize makes v unit length; a zero vector stays.
func normalize(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
}
