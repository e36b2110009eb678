package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/proof"
	"lens/tui/results"
)

// OfflineSearch is the offline retriever.
type OfflineSearch = proof.Retriever

// The types of its answers.
type (
	OfflineAnswer = proof.Answer
	OfflineHit    = proof.Hit

	OfflineConclusion = proof.Conclusion
)

func (w *workspace) searchesOffline() bool { return w.opts.Search != nil }

// openProof answers the query offline.
func (w *workspace) openProof() tea.Cmd {
	question := w.bar.Query().Words()
	if question == "" {
		w.footer.Say("Type a query first (press " + w.ui.Key("query") + ")")
		return nil
	}
	read := func(turn uuid.UUID) tea.Cmd {
		w.ui.Post(results.TurnSelected{ID: turn, Focus: true})
		return nil
	}
	w.ui.Post(dialog.Open{Dialog: proof.New(w.ui, w.opts.Search, proof.Options{Question: question, Read: read})})
	return nil
}

// closed says why no browser is opened, "" if one may be.
func (o *Options) closed() string {
	switch {
	case o.Paranoid:
		return "paranoid"
	case o.Offline:
		return "offline"
	}
	return ""
}
