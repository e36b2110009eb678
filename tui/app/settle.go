package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/external"
)

// Requests are derived from the state after each message: available data is shown, missing data is requested once,
// and requests that are no longer wanted are canceled. So no action makes requests, and none can forget one.

// settle does what follows from a message: it tells the components what they depend on, and returns what they request.
func (m *model) settle() tea.Cmd {
	m.settleHome()
	m.settleChat()
	m.bringForward()
	m.arrangeBar()
	cmds := []tea.Cmd{m.receive()}
	if m.locked.IsShown() {
		return tea.Batch(cmds...)
	}
	m.find(m.focus)
	cmds = append(cmds, m.receive(), m.finder.Requests(m.listed(), m.results.Wants()))
	m.followTurn()
	m.hint = m.remark()
	m.arrange()
	each(m.parts(), func(p interface{ Requests() tea.Cmd }) { cmds = append(cmds, p.Requests()) })
	m.exporter.SetTurns(m.turnsShown())
	cmds = append(cmds, m.watcher.Requests(), m.requestKeeping(m.look()))
	if m.archive.IsOpen() {
		cmds = append(cmds, m.chat.Requests())
	}
	if !m.ticking && (m.waiting() > 0 || m.jobs.IsBusy()) {
		m.ticking = true
		cmds = append(cmds, tick(m.ui.Ctx, m.pace.shown))
	}
	m.bar.SetRemarks(m.badges(), m.outcomes()...) // of the requests above, too
	m.bar.Arrange()
	return tea.Batch(cmds...)
}

// turnsShown returns what is copied and saved. Home shows no turn: that of the hidden panes would be another one than
// a person expects.
func (m *model) turnsShown() external.Turns {
	if !m.showsPanes() {
		return external.Turns{None: "Nothing to copy or save at home"}
	}
	return external.Turns{Marked: m.results.Marked(), Open: m.reader.Opened(), Code: m.reader.CodeInView()}
}

// arrangeBar tells the query bar what the query depends on. It may post what follows from that.
func (m *model) arrangeBar() {
	m.bar.SetSize(m.width, 1)
	m.bar.SetArchive(m.timeline.Zoom().Extent())
	m.bar.SetView(m.timeline.Zoom().Span)
	overview := m.archive.Overview()
	m.bar.SetByMeaning(overview != nil && overview.Model != "")
	m.bar.SetFocused(m.focus == paneQuery)
}

// arrange tells the components their sizes, which has the focus, and what else they depend on.
func (m *model) arrange() {
	m.chat.SetDense(m.height < sourcesFrom)
	m.chartLines, m.chatLines, m.turnLines = m.timeline.Lines(m.height), m.chatNeeds(), m.turnNeeds()
	l := m.layout()
	for p := range paneCount {
		c, r := m.component(p), l.inside(p)
		if c == nil {
			continue
		}
		if p == paneTimeline { // hidden, it keeps its bins, which keys of other panes move in; its head may be shown
			r.w = m.width
		}
		c.SetSize(r.w, r.h)
		if c, ok := c.(interface{ SetFocused(focused bool) }); ok {
			c.SetFocused(m.focus == p)
		}
	}
	m.timeline.SetInputs(m.timelineInputs(m.focus))
	if !l.at[paneResults].isEmpty() { // hidden, it keeps its place
		m.results.SetTall(l.tall)
	}
	m.reader.SetWords(m.found.FoundBy())
	m.reader.SetFound(m.matches())
	m.reader.SetInvitation(m.turnInvitation())
	m.footer.SetSize(l.footer.w, l.footer.h)
	m.footer.SetHints(m.footerHints())
	m.welcome.SetSize(l.welcome().w, l.welcome().h)
	m.welcome.SetShown(m.archive.IsEmpty())
	m.chat.SetFocus(m.chatFocus())
	m.chat.SetReady(m.archive.IsOpen())
	m.chat.Arrange()
	if !l.at[paneDetails].isEmpty() {
		m.details.SetSubject(m.subject())
	}
}
