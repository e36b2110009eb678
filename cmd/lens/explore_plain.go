package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
)

// The plain explorer prints what the explorer shows as lines that it only ever appends, for screen readers, dumb
// terminals and pipes. Nothing moves, position and color mean nothing, and every choice has a number.

const plainHelp = `Type a query and press Enter: words, "an exact phrase", -without, source:claude, since:2024-05.
Or one of these commands:
  3            read match 3
  more         list more matches
  bins         list the bins with matches; bins week lists them by week
  zoom 2       zoom into bin 2; also zoom 2024-05..2024-06 or zoom last 90d
  like 3       find turns like match 3
  next, before read the next or the previous turn of the conversation
  back         go back
  all          search all time again
  home         what the archive is about
  ? WORDS      search for words that are also a command: ? bins
  help         show this help
  quit         quit`

// plainExplorer is an explorer that only appends lines.
type plainExplorer struct {
	prompt  *prompter
	out     *screen
	report  *reporter
	redact  *redactor
	engine  *retrieval.Engine
	index   func(context.Context, query.Query) error // what a query looks up
	here    query.Query                              // and its window
	before  []query.Query
	peek    *retrieval.Peek
	listed  []retrieval.Match // the matches; without a query, the newest turns
	total   int               // number of matches, of which listed are the first
	printed int               // how many of listed are printed
	bins    []plainBin        // as last printed
	read    *retrieval.Turn   // the last one
}

type plainBin struct{ since, until time.Time }

func runPlainExplorer(cmd *cobra.Command, env *Env, text string) error {
	a, engine, err := env.Engine(cmd, query.Auto)
	if err != nil {
		return err
	}
	p := &plainExplorer{prompt: env.Prompt, out: env.Out, report: env.Report, redact: env.Redact, engine: engine}
	p.index = func(ctx context.Context, q query.Query) error { return env.indexFacts(ctx, a, q) }
	if p.here, err = p.parse(cmd.Context(), text); err != nil {
		return usageOf(err)
	}
	return p.run(cmd.Context())
}

// run answers lines until the end of the input, or quit.
func (p *plainExplorer) run(ctx context.Context) error {
	if err := p.welcome(ctx); err != nil {
		return err
	}
	for {
		p.out.printf("query or command: ")
		line, err := p.prompt.readLine(ctx)
		if err != nil {
			p.out.println()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		switch err := p.handle(ctx, line); {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			p.printError(err)
		}
	}
}

// handle runs a line. It returns io.EOF to quit.
func (p *plainExplorer) handle(ctx context.Context, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if n, err := strconv.Atoi(line); err == nil {
		return p.readMatch(ctx, n)
	}
	alone := map[string]func(context.Context) error{
		"more": p.more, "next": p.next, "before": p.previous, "back": p.back, "all": p.all, "home": p.home,
	}
	switch do := alone[word]; {
	case line == "":
		return nil
	case do != nil && rest == "":
		return do(ctx)
	case line == "quit" || line == "q":
		return io.EOF
	case line == "help" || line == "?":
		p.out.println(plainHelp)
		return nil
	case word == "?" && rest != "":
		line = rest
	case word == "bins" && !strings.Contains(rest, " "):
		return p.listBins(ctx, rest)
	case word == "zoom" && rest != "":
		return p.zoom(ctx, rest)
	case word == "like" && isNumber(rest):
		return p.like(ctx, rest)
	}
	next, err := p.parse(ctx, line)
	if err != nil {
		return err
	}
	if f := &next.Filter; f.Since.IsZero() && f.Until.IsZero() {
		f.Since, f.Until = p.here.Window()
		next.Bin = p.here.Bin
	}
	return p.goTo(ctx, next)
}

// parse reads a query as people type it, and prints what may have been meant. One that is only a date is its window.
func (p *plainExplorer) parse(ctx context.Context, text string) (query.Query, error) {
	q, notices, err := query.Parse(text, time.Now())
	for _, notice := range notices {
		p.out.println(cleantext.Line(notice))
	}
	if err != nil {
		return q, err
	}
	q.Dates = query.DatesSoft
	q, _, err = p.engine.ListDate(ctx, q, time.Now())
	return q, err
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// goTo searches next, and remembers the current place for back.
func (p *plainExplorer) goTo(ctx context.Context, next query.Query) error {
	left := p.here
	p.here = next
	p.redact.hideQuery(next)
	if err := p.search(ctx); err != nil {
		p.here = left
		return err
	}
	p.before = append(p.before, left)
	return nil
}

func (p *plainExplorer) back(ctx context.Context) error {
	n := len(p.before) - 1
	if n < 0 {
		p.out.println("Nothing to go back to.")
		return nil
	}
	p.here, p.before = p.before[n], p.before[:n]
	return p.search(ctx)
}

func (p *plainExplorer) all(ctx context.Context) error {
	next := p.here
	next.Filter.Since, next.Filter.Until = time.Time{}, time.Time{}
	return p.goTo(ctx, next)
}

// match returns match n. If there is none, it prints so and returns nil.
func (p *plainExplorer) match(n int) *retrieval.Match {
	if n < 1 || n > len(p.listed) {
		p.out.printf("No match %d.\n", n)
		return nil
	}
	return &p.listed[n-1]
}

func (p *plainExplorer) readMatch(ctx context.Context, n int) error {
	m := p.match(n)
	if m == nil {
		return nil
	}
	return p.readTurn(ctx, m.TurnID)
}

func (p *plainExplorer) next(ctx context.Context) error     { return p.neighbor(ctx, true) }
func (p *plainExplorer) previous(ctx context.Context) error { return p.neighbor(ctx, false) }

func (p *plainExplorer) neighbor(ctx context.Context, next bool) error {
	if p.read == nil {
		p.out.println("Read a match first.")
		return nil
	}
	id := p.read.Prev
	if next {
		id = p.read.Next
	}
	if id == nil {
		p.out.println("No more turns in this direction.")
		return nil
	}
	return p.readTurn(ctx, *id)
}

func (p *plainExplorer) like(ctx context.Context, number string) error {
	n, _ := strconv.Atoi(number)
	m := p.match(n)
	if m == nil {
		return nil
	}
	next := query.Query{Like: m.TurnID.String(), Filter: p.here.Filter, Bin: p.here.Bin}
	next.Filter.Role = "" // of words, which are given up
	return p.goTo(ctx, next)
}

// zoom searches a bin by its number, or a window that is typed.
func (p *plainExplorer) zoom(ctx context.Context, to string) error {
	next := p.here
	next.Bin = ""
	if n, err := strconv.Atoi(to); err == nil && n < 1000 {
		if n < 1 || n > len(p.bins) {
			p.out.println("No such bin. Type bins to list them.")
			return nil
		}
		next.Filter.Since, next.Filter.Until = p.bins[n-1].since, p.bins[n-1].until
		return p.goTo(ctx, next)
	}
	at, err := p.engine.WindowNamed(ctx, to, time.Now())
	if err != nil {
		p.out.println("Not a date. Try zoom 2024-05, zoom 2024-05..2024-06 or zoom last 90d.")
		return nil
	}
	next.Filter.Since, next.Filter.Until = at.Since, at.Until
	return p.goTo(ctx, next)
}
