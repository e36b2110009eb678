package main

import (
	"context"
	"strings"

	"lens/cmd/internal/app"
	"lens/cmd/internal/explain"
	"lens/internal/cleantext"
	"lens/retrieval"
)

const (
	fewFound    = 10 // below this many matches by words, search by meaning might find more
	shownTitles = 3
)

// notice prints on one line why the search was by keywords only, and what to do about it. It always does so if a model
// is configured or the user asked for search by meaning; otherwise only on a terminal, when the words found little.
func printNotice(env *Env, l *app.App, p *retrieval.Peek, asked retrieval.Mode) {
	if p.Notice == "" && (p.Mode != retrieval.Keyword || asked == retrieval.Keyword) {
		return
	}
	model, err := l.Models.Configured()
	if model == nil && err == nil && asked == retrieval.Auto && (!env.Err.terminal || p.Histogram.Total >= fewFound) {
		return
	}
	text := p.Notice
	if err != nil { // the engine does not know this reason
		text = "By words only: " + explain.Error(err)[0].Message + "."
	}
	if hint := l.Models.Hint(p.Coverage.Embedded); hint != "" {
		text = strings.TrimSpace(text + " " + upperFirst(strings.TrimSuffix(hint, ".")) + ".")
	}
	env.Err.println(env.Err.warn(cleantext.Line(text)))
}

// hints are what a search of turns does not show.
type hints struct {
	titled *retrieval.TitleMatches // conversations with the query in their titles
	meant  string                  // the query with its unknown words corrected; "" for none
}

func hintsFor(
	ctx context.Context, engine *retrieval.Engine, p *retrieval.Peek, opts retrieval.PeekOptions,
) (h hints, err error) {
	if p.Query == "" {
		return hints{titled: new(retrieval.TitleMatches)}, nil
	}
	if h.titled, err = engine.MatchTitles(ctx, p.Query, opts, shownTitles); err == nil {
		h.meant, err = engine.Suggest(ctx, p.Query)
	}
	return h, err
}

// showTitles prints how many conversations have the query in their titles, with the first turns of some of them.
func printTitles(out *screen, t *retrieval.TitleMatches) {
	if t.Count == 0 {
		return
	}
	verb := "have"
	if t.Count == 1 {
		verb = "has"
	}
	out.println(count(t.Count, "conversation") + " " + verb + " this in the title:")
	for _, c := range t.Conversations {
		id := c.FirstTurn.String()[:shortID]
		out.printf("     %s  %s\n", out.faint(id), out.line(c.Title, out.width-7-shortID))
	}
	if more := t.Count - len(t.Conversations); more > 0 {
		out.printf("     and %s more\n", grouped(more))
	}
}
