package search

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/turn"
	"lens/tui/ui"
)

// listed is how many turns are listed at a time without a query: half as many as a search returns, because each costs
// memory and time before the first screen.
const listed = 200

// find searches after a pause, during which it can be superseded at no cost, and delivers the result as a message. A
// quick search may be partial. A canceled one delivers nothing. Listing all matches takes longer than the best ones.
func (f *Finder) find(
	ctx context.Context, key Key, quick, all bool, pause time.Duration, deliver func(Result, error) tea.Msg,
) tea.Cmd {
	engine, topK, bin := f.engine, f.opts.TopK, cmp.Or(f.wanted.Bin, "year")
	rows := topK
	if !all {
		rows = min(rows, query.MaxSnippets)
	}
	p := f.pagerOf(key)
	return f.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		q := key.In(key.Window)
		q.Quick = quick
		found := Result{Key: key}
		var err error
		if key.IsSomething() {
			// The explorer counts bins itself, from the times. These are for what is said of their peaks.
			q.TopK, q.Snippets, q.Bin = &topK, &rows, bin
			q.Occurrences = key.Occurrences
			q.Explain = true // for the details of a match; takes 1 µs each
			if found.Peek, err = engine.Peek(ctx, q); err == nil {
				found.clean()
			}
		} else {
			// A partial result might leave out the turn under the cursor.
			p.q.Quick = quick && p.was.Peek == nil
			found, err = p.list(ctx, found, 1)
		}
		if ctx.Err() != nil {
			return nil
		}
		return deliver(found, err)
	})
}

// clean makes the texts of a result safe for the terminal. Single lines stay single.
func (r *Result) clean() {
	p := r.Peek
	p.Notice, p.Language, p.TitleWord = ui.Line(p.Notice), ui.Line(p.Language), ui.Line(p.TitleWord)
	if p.Dates != nil {
		p.Dates.Text = ui.Line(p.Dates.Text)
	}
	cleanPeaks(p.Peaks)
	if p.Occurrences != nil {
		cleanPeaks(p.Occurrences.Peaks)
	}
	for i := range p.Titles {
		p.Titles[i].Title = cmp.Or(ui.Line(p.Titles[i].Title), "untitled")
	}
	for i := range p.Matches {
		m := &p.Matches[i]
		m.Chunk = turn.CleanChunk(m.Chunk)
		m.Title = ui.Line(m.Title)
		m.UserSnippet, m.AssistantSnippet = ui.Line(m.UserSnippet), ui.Line(m.AssistantSnippet)
	}
	for i := range r.Fullest {
		r.Fullest[i].Title = ui.Line(r.Fullest[i].Title)
	}
}

func cleanPeaks(peaks []retrieval.Peak) {
	for i := range peaks {
		peaks[i].Title = ui.Line(peaks[i].Title)
		for j, word := range peaks[i].Words {
			peaks[i].Words[j] = ui.Line(word)
		}
	}
}
