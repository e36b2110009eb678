package main

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// This file has the output of the plain explorer. plain.go reads its input.

func (p *plainExplorer) welcome(ctx context.Context) error {
	o, err := p.engine.Overview(ctx)
	if err != nil {
		return err
	}
	line := "Lens: " + count(o.Turns, "turn") + " in " + count(o.Conversations, "conversation")
	if o.First != nil && o.Last != nil {
		line += ", " + day(o.First) + " to " + day(o.Last)
	}
	p.out.println(line + ". Type help for the commands.")
	if p.here.HasWords() || len(p.here.Without) > 0 || !p.here.Filter.IsZero() {
		return p.search(ctx)
	}
	return p.home(ctx)
}

// home says what the archive is about, as far as its topics are known.
func (p *plainExplorer) home(ctx context.Context) error {
	t, err := p.engine.Topics(ctx, query.Query{AutoBins: topicBins})
	if err != nil {
		return err
	}
	for _, topic := range t.Topics[:min(len(t.Topics), plainPage)] {
		line := "topic: " + cleantext.Line(topic.Label) + " (" + count(topic.Turns, "turn") + ")"
		if topic.Returned != nil {
			line += ", " + describeReturn(topic.Returned)
		}
		p.out.println(line)
	}
	return nil
}

// printError prints an error; the explorer continues.
func (p *plainExplorer) printError(err error) {
	message, hint := p.report.explain(err)
	p.out.println("error: " + message)
	if hint != "" {
		p.out.println(hint)
	}
}

// plainBins is how many bins are listed at most.
const plainBins = 24

// explorerTopK is how many matches the explorer counts.
const explorerTopK = 400

// search runs the current query and prints how many matches there are, when they were, and the first of them.
func (p *plainExplorer) search(ctx context.Context) error {
	p.peek, p.listed, p.bins, p.printed = nil, nil, nil, 0
	if err := p.index(ctx, p.here); err != nil {
		return err
	}
	if !p.here.HasWords() && p.here.Like == "" {
		return p.browse(ctx)
	}
	q := p.here
	q.TopK, q.Snippets, q.AutoBins = new(explorerTopK), new(explorerTopK), plainBins
	var err error
	p.peek, err = p.engine.Peek(ctx, q)
	if err != nil {
		return err
	}
	hints, err := findHints(ctx, p.engine, p.peek, q)
	if err != nil {
		return err
	}
	if hints.meant != "" {
		p.out.println("Did you mean " + cleantext.Line(hints.meant) + "?")
	}
	p.printNotice(p.peek.Notice)
	if hints.noTurns != "" {
		p.out.println(hints.noTurns)
		return nil
	}
	if p.peek.Histogram.Total == 0 {
		p.out.println("No matches among " + count(p.peek.Coverage.Candidates, "turn") + p.window() + ".")
		return nil
	}
	p.listed, p.total = p.peek.Matches, p.peek.Histogram.Total
	p.out.println(peekSummary(p.out, p.peek) + p.window())
	p.printPeaks()
	return p.more(ctx)
}

// browse prints an overview when there is no query: the bins, the fullest conversations, and the newest turns.
func (p *plainExplorer) browse(ctx context.Context) error {
	if err := p.listBins(ctx, ""); err != nil {
		return err
	}
	b, err := p.engine.Browse(ctx, p.here, retrieval.BrowseOptions{})
	if err != nil {
		return err
	}
	if p.printNotice(b.Notice); b.Total == 0 {
		return nil
	}
	p.listed, p.total = b.Matches, b.Total
	p.out.println(count(b.Total, "turn") + p.window() + ", the newest first")
	for _, f := range b.TopConversations {
		p.out.println("most active: " + cleantext.Line(f.Title) + " (" + count(f.Turns, "turn") + ")")
	}
	return p.more(ctx)
}

func (p *plainExplorer) printNotice(notice string) {
	if notice != "" {
		p.out.println(p.out.sentence(cleantext.Line(notice)))
	}
}

// window describes the current window, "" for all time.
func (p *plainExplorer) window() string {
	since, until := p.here.Window()
	if since.IsZero() && until.IsZero() {
		return ""
	}
	from, to := "the beginning", "the end"
	if !since.IsZero() {
		from = day(&since)
	}
	if !until.IsZero() {
		last := until.Add(-time.Second)
		to = day(&last)
	}
	return ", from " + from + " to " + to
}

func (p *plainExplorer) printPeaks() {
	if m := p.peek.Mentions; m.First != nil && m.Last != nil {
		p.out.println("first " + day(&m.First.Time) + ", last " + day(&m.Last.Time))
	}
	_, peaks, _ := p.peek.Drawn()
	for _, b := range peaks {
		last := b.End.Add(-time.Second)
		caption := peakCaption(p.out, b)
		all := count(b.Baseline, "turn")
		p.out.printf("peak from %s to %s: %d of %s%s\n", day(&b.Start), day(&last), b.Count, all, caption)
	}
}

// plainPage is how many matches are printed at once.
const plainPage = 10

// more prints the next matches.
func (p *plainExplorer) more(context.Context) error {
	if p.printed >= len(p.listed) {
		p.out.println("No more matches.")
		return nil
	}
	end := min(p.printed+plainPage, len(p.listed))
	for i := p.printed; i < end; i++ {
		m := &p.listed[i]
		text := cmp.Or(m.UserSnippet, m.AssistantSnippet)
		p.out.printf("%d. %s, %s: %s\n", i+1, day(m.Time), cleantext.Line(cmp.Or(m.Title, "untitled")), cleantext.Line(text))
	}
	if p.printed = end; end < len(p.listed) {
		of := strconv.Itoa(len(p.listed))
		if len(p.listed) < p.total { // only turns without a query are not all listed
			of = "the newest " + of
		}
		p.out.printf("%d of %s; type more for the next.\n", end, of)
	}
	return nil
}

func (p *plainExplorer) readTurn(ctx context.Context, id uuid.UUID) error {
	t, err := p.engine.Turn(ctx, id.String())
	if err != nil {
		return err
	}
	p.read = t
	printTurn(p.out, t)
	return nil
}

// listBins prints the bins that are not empty, with numbers.
func (p *plainExplorer) listBins(ctx context.Context, bin string) error {
	var h retrieval.Histogram
	if p.peek == nil {
		q := p.here
		q.Bin, q.AutoBins = bin, plainBins
		a, err := p.engine.Activity(ctx, q)
		if err != nil {
			return err
		}
		h = a.Histogram
	} else {
		var err error
		if h, err = p.engine.Rebin(ctx, p.peek, bin, plainBins); err != nil {
			return err
		}
	}
	p.bins = nil
	unit, err := timebin.Parse(h.Bin)
	if err != nil {
		return err
	}
	for _, b := range h.Bins {
		if b.Count > 0 {
			p.bins = append(p.bins, plainBin{b.Start, b.End})
			counted := count(b.Count, "turn")
			if p.peek != nil {
				counted = grouped(b.Count) + " of " + count(b.Baseline, "turn")
			}
			p.out.printf("%d. %s: %s\n", len(p.bins), unit.Label(b.Start.Unix()), counted)
		}
	}
	if len(p.bins) > 0 {
		return nil
	}
	says, err := noTurns(ctx, p.engine, p.here)
	p.out.println(cmp.Or(says, "No dates."))
	return err
}
