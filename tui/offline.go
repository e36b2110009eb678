package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/proof"
)

// OfflineSearch is the offline retriever.
type OfflineSearch = proof.Retriever

// The types of its answers.
type (
	OfflineAnswer = proof.Answer
	OfflineHit    = proof.Hit

	OfflineConclusion = proof.Conclusion
)

func (m *model) searchesOffline() bool { return m.opts.Search != nil }

// openProof answers the query offline.
func (m *model) openProof() tea.Cmd {
	question := m.bar.Query().Words()
	if question == "" {
		m.footer.Say("Type a query first (press " + m.ui.Key("query") + ")")
		return nil
	}
	return m.open(proof.New(m.ui, m.opts.Search, proof.Options{Question: question, Read: m.readHit}))
}

// readHit shows the turn of a hit.
func (m *model) readHit(turn uuid.UUID) tea.Cmd {
	m.showTurn(turn)
	m.focus = paneTurn
	return nil
}
