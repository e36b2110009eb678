package main

import (
	"context"
	"fmt"
	"time"

	offlineservice "lens/cmd/internal/offline"
	"lens/retrieval/offline"
	tui "lens/tui/app"
)

// offlineSearch lets the explorer query the offline retriever. Unless the explorer is itself offline, a process that is
// cut off from the network answers.
type offlineSearch struct{ *explorer }

func (s offlineSearch) Levels() (levels []string) {
	for _, level := range offline.Levels() {
		levels = append(levels, string(level))
	}
	return levels
}

func (s offlineSearch) Ask(ctx context.Context, question, level string) (tui.OfflineAnswer, error) {
	s.env.Redact.hide(question)
	return searchOffline(ctx, s.app.Offline.Retriever(false), question, offline.Level(level))
}

// searchOffline searches, keeps the most relevant hits, and answers from them.
func searchOffline(
	ctx context.Context, r *offlineservice.Retriever, question string, level offline.Level,
) (shown tui.OfflineAnswer, err error) {
	found, err := r.Search(ctx, question, offline.SearchOptions{Level: level})
	if err != nil {
		return shown, err
	}
	hits := offline.Rerank(found.Hits, time.Now(), level)
	a, err := r.Answer(ctx, hits, question, offline.AnswerOptions{Level: level, QID: found.QID})
	if err != nil {
		return shown, err
	}
	shown.Text = a.Text
	if a.Notice != "" {
		shown.Text += "\n\n" + a.Notice
	}
	for _, h := range hits {
		c := h.Citation()
		hit := tui.OfflineHit{ID: h.ChunkID.String(), Cited: c.String() + pages(h.Pages), Says: h.Snippet}
		shown.Hits = append(shown.Hits, hit)
	}
	for _, c := range a.Conclusions {
		concluded := tui.OfflineConclusion{On: c.At.UTC().Format(time.DateOnly), Text: c.Text}
		for _, of := range c.Citations {
			concluded.Cited = append(concluded.Cited, of.String()+pages(of.Pages))
		}
		shown.Conclusions = append(shown.Conclusions, concluded)
	}
	shown.Basis = fmt.Sprintf("%s refused %d kinds of socket; recorded as decisions %d and %d",
		a.Mechanism, a.Probes, found.Seq, a.Seq)
	return shown, nil
}
