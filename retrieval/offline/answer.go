package offline

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

// NoAnswer is the answer when nothing was found.
const NoAnswer = "Nothing in the archive answers this. Try other words, or browse the explorer."

// MaxAnswerHits is how many hits an Answer may use.
const MaxAnswerHits = 20

// AnswerOptions shapes an answer. The zero value is usable.
type AnswerOptions struct {
	Level Level  // "": Standard
	QID   string // of the search; "": a new one
}

// Answer is a text with its citations.
type Answer struct {
	Decision
	Text      string     `json:"text"`
	Citations []Citation `json:"citations"` // in order of first mention, each once
	Generated bool       `json:"generated"` // written by a model, citations checked; otherwise quoted
	Notice    string     `json:"notice,omitempty"`

	Conclusions []Conclusion `json:"conclusions"` // that the user pinned earlier, the closest first; at most 3
}

// Source is a hit passed to a Writer; [1] cites the first.
type Source struct {
	ID, Title, User, Assistant string
	Citation                   Citation
}

// Writer lets a model on this machine write an answer from sources only. It returns the text, in which [n] cites
// sources[n-1] and everything else that looked like a citation has been removed, with the cited numbers in
// order of first mention.
type Writer interface {
	Write(ctx context.Context, prompt string, sources []Source) (text string, cited []int, err error)
}

// Answer answers prompt from hits only: it quotes the best sentences or uses the Writer's text. It trusts only the ids
// of hits and reads the rest again. Errors: see Search; also not_found if a hit is not in the archive.
func (r *Retriever) Answer(ctx context.Context, hits []Hit, prompt string, opts AnswerOptions) (*Answer, error) {
	switch {
	case strings.TrimSpace(prompt) == "":
		return nil, invalid("ask a question", "the prompt is empty")
	case len(prompt) > query.MaxBytes:
		return nil, invalid("use a prompt of up to 8 KiB", "the prompt has %d bytes", len(prompt))
	}
	if len(hits) > MaxAnswerHits {
		return nil, invalid("rerank the hits first", "an answer can use at most %d hits", MaxAnswerHits)
	}
	a := &Answer{Text: NoAnswer, Citations: []Citation{}, Conclusions: []Conclusion{}}
	level := cmp.Or(opts.Level, Standard)
	var err error
	query := auditedQuery{opts.QID, level, len(hits)}
	a.Decision, err = r.decide(ctx, query, func(searcher Searcher, synonyms Synonyms) (int, error) {
		if err := searcher.CheckEmbedded(ctx); err != nil { // no search of this archive found the hits
			return 0, err
		}
		turns, err := hydrate(ctx, searcher, hits)
		if err != nil {
			return 0, err
		}
		if err := r.addConclusions(ctx, searcher, hits, prompt, a); err != nil || len(turns) == 0 {
			return 0, err
		}
		d := newDraft(turns, newSentences(prompt, synonymWords(synonyms.Of(prompt))))
		if r.opts.Writer == nil || level == Paranoid || !d.write(ctx, r.opts.Writer, prompt, a) {
			d.quote(a)
		}
		return len(turns), ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// addConclusions adds earlier conclusions of the user. If they cannot be read the answer goes on without them; if
// they are locked it fails.
func (r *Retriever) addConclusions(ctx context.Context, searcher Searcher, hits []Hit, prompt string, a *Answer) error {
	if r.opts.Conclusions == nil {
		return nil
	}
	all, err := r.opts.Conclusions.Conclusions(ctx)
	switch {
	case errs.CodeOf(err) == errs.Locked, ctx.Err() != nil:
		return err
	case err != nil:
		a.notice("Your earlier conclusions could not be read.")
		return nil
	}
	a.Conclusions, err = relevantConclusions(ctx, searcher, all, hits, prompt)
	return err
}

// draft holds the sources and quotable sentences of an answer.
type draft struct {
	sources []Source
	quotes  []sentence
}

func newDraft(turns []retrieval.Turn, s *sentences) *draft {
	d := &draft{quotes: s.choose(turns)}
	for i := range turns {
		t := &turns[i]
		h := Hit{ChunkID: t.TurnID}
		h.describe(t)
		d.sources = append(d.sources, Source{t.TurnID.String(), h.Filename, t.User, t.Assistant, h.Citation()})
	}
	return d
}

// quote answers with the chosen sentences, word for word.
func (d *draft) quote(a *Answer) {
	if len(d.quotes) == 0 {
		return // no sentence to quote: keep NoAnswer
	}
	var lines []string
	for _, q := range d.quotes {
		c := d.sources[q.hit].Citation
		lines = append(lines, "“"+q.text+"” ["+c.String()+"]")
		a.cite(c)
	}
	a.Text = strings.Join(lines, "\n\n")
}

// write answers with a model's text and reports whether that cites anything: a text without citations is not used.
func (d *draft) write(ctx context.Context, w Writer, prompt string, a *Answer) bool {
	text, cited, err := w.Write(ctx, prompt, d.sources)
	switch {
	case err != nil:
		a.notice("The local model failed, so these are quotations.")
		return false
	case len(cited) == 0:
		a.notice("The local model cited nothing, so these are quotations.")
		return false
	}
	a.Text, a.Generated = nameCitations(text, d.citation), true
	for _, n := range cited {
		a.cite(d.sources[n-1].Citation)
	}
	return true
}

// citation returns the citation of [n].
func (d *draft) citation(n int) (Citation, bool) {
	if n < 1 || n > len(d.sources) {
		return Citation{}, false
	}
	return d.sources[n-1].Citation, true
}

// notice appends a sentence to the notice.
func (a *Answer) notice(sentence string) { a.Notice = strings.TrimSpace(a.Notice + " " + sentence) }

func (a *Answer) cite(c Citation) {
	if !slices.ContainsFunc(a.Citations, func(known Citation) bool { return known.ChunkID == c.ChunkID }) {
		a.Citations = append(a.Citations, c)
	}
}
