package main

import (
	"context"
	"strings"

	"lens/internal/boot"
	"lens/internal/cleantext"
	"lens/retrieval"
)

const (
	fewFound    = 10 // with fewer turns found by words, meaning might find more
	shownTitles = 3
)

// notice says on one line why the search was by keywords only, and what to do about it. Where a model was set up, or meaning was insisted
// on, that is always worth saying; where there is none, only to people whose words found little.
func (s *session) notice(l *boot.Lens, p *retrieval.Peek, asked retrieval.Mode) {
	if p.Notice == "" && (p.Mode != retrieval.Keyword || asked == retrieval.Keyword) {
		return
	}
	model, err := l.EmbeddingModel()
	if model == nil && err == nil && asked == retrieval.Auto && (!s.err.terminal || p.Histogram.Total >= fewFound) {
		return
	}
	text := p.Notice
	if err != nil { // more than the engine can know
		text = "By words only: " + boot.Explain(err)[0].Message + "."
	}
	if hint := l.MeaningHint(p.Coverage.Embedded); hint != "" {
		text = strings.TrimSpace(text + " " + upperFirst(strings.TrimSuffix(hint, ".")) + ".")
	}
	s.err.println(s.err.warn(cleantext.Line(text)))
}

// hints are what a search of turns does not find.
type hints struct {
	titled *retrieval.TitleMatches // conversations with the query in their titles
	meant  string                  // the query with other words for those that nobody said; "" for none
}

func hintsFor(ctx context.Context, engine *retrieval.Engine, p *retrieval.Peek, opts retrieval.PeekOptions) (h hints, err error) {
	if p.Query == "" {
		return hints{titled: new(retrieval.TitleMatches)}, nil
	}
	if h.titled, err = engine.MatchTitles(ctx, p.Query, opts, shownTitles); err == nil {
		h.meant, err = engine.Suggest(ctx, p.Query)
	}
	return h, err
}

// showTitles says how many conversations have a query in their titles, and where the first of them begin.
func (s *session) showTitles(t *retrieval.TitleMatches) {
	if t.Count == 0 {
		return
	}
	verb := "have"
	if t.Count == 1 {
		verb = "has"
	}
	s.out.println(count(t.Count, "conversation") + " " + verb + " this in the title:")
	for _, c := range t.Conversations {
		id := c.FirstTurn.String()[:shortID]
		s.out.printf("     %s  %s\n", s.out.faint(id), s.out.line(c.Title, s.out.width-7-shortID))
	}
	if more := t.Count - len(t.Conversations); more > 0 {
		s.out.printf("     and %s more\n", grouped(more))
	}
}
