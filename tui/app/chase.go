package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/external"
)

// Requests are derived from the state after each message: available data is shown, missing data is requested once,
// and requests that are no longer wanted are canceled. So no action makes requests, and none can forget one.

func (m *model) chase() tea.Cmd {
	m.bringForward()
	m.arrangeBar()
	cmds := []tea.Cmd{m.receive()}
	if m.locked.IsShown() {
		return tea.Batch(cmds...)
	}
	m.find(m.focus)
	cmds = append(cmds, m.receive(), m.archive.Requests(), m.guard.Requests(), m.dialogs.Requests(), m.bar.Requests())
	if m.archive.IsOpen() {
		cmds = append(cmds,
			m.timeline.Requests(),
			m.finder.Requests(m.results.Len()),
			m.requestKeeping(m.look()),
		)
	}
	m.hint = m.remark()
	m.arrange()
	cmds = append(cmds, m.reader.Requests())
	m.exporter.SetTurns(external.Turns{Marked: m.results.Marked(), Open: m.reader.Opened(), Code: m.reader.CodeInView()})
	if m.archive.IsOpen() {
		cmds = append(cmds, m.chat.Requests())
	}
	if !m.ticking && (m.waiting() > 0 || m.jobs.IsBusy()) {
		m.ticking = true
		cmds = append(cmds, tick(m.ui.Ctx, m.pace.shown))
	}
	m.bar.SetRemarks(m.badges(), m.outcome(m.width)) // of the requests above, too
	m.bar.Arrange()
	return tea.Batch(cmds...)
}

// arrangeBar tells the query bar what the query depends on. It may post what follows from that.
func (m *model) arrangeBar() {
	m.bar.SetSize(m.width, 1)
	m.bar.SetArchive(m.timeline.Zoom().All)
	m.bar.SetFocused(m.focus == paneQuery)
}

// arrange tells the components what they depend on: their size, the focus, the words that were searched for.
func (m *model) arrange() {
	l := m.layout()
	m.timeline.SetSize(l.at[paneHistogram].w, l.at[paneHistogram].h)
	m.timeline.SetInputs(m.timelineInputs(m.focus))
	m.results.SetSize(l.at[paneMatches].w, l.at[paneMatches].h)
	m.results.SetTall(l.tall)
	m.results.SetFocused(m.focus == paneMatches)
	m.reader.SetSize(l.at[paneTurn].w, l.at[paneTurn].h-1)
	m.reader.SetFocused(m.focus == paneTurn)
	m.reader.SetWords(m.found.Words())
	m.reader.SetInvitation(m.turnInvitation())
	m.footer.SetSize(l.footer.w, l.footer.h)
	m.footer.SetHints(m.footerHints())
	m.home.SetSize(l.home().w, l.home().h)
	m.chat.SetSize(l.at[paneChat].w, l.at[paneChat].h-1)
	m.chat.SetFocus(m.chatFocus())
	m.chat.SetReady(m.archive.IsOpen())
	m.chat.Arrange()
	if m.details.SetSize(l.at[paneInfo].w, l.at[paneInfo].h-1); !l.at[paneInfo].isEmpty() {
		m.details.SetSubject(m.subject())
	}
}
