package chat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// sessionList lists the saved chats, and the answers that were pinned as conclusions, in a menu.
type sessionList struct {
	ui     *ui.Context
	record *record
	begin  func() tea.Cmd                              // begins a new chat
	resume func(s agent.Session, exchange int) tea.Cmd // continues one; see Chat.resume

	loading async.Latest[bool]
}

// spot is a position in the list.
type spot struct {
	archived bool   // archived chats are listed, too
	at       string // the item under the cursor
	row      int    // used when that item is gone
}

// listedMsg delivers the saved chats.
type listedMsg struct {
	number   int
	sessions []agent.Session
	err      error
	as       spot
}

// open loads the saved chats, and opens the list when they have arrived.
func (l *sessionList) open(as spot) tea.Cmd {
	if l.record.sessions == nil {
		l.ui.Post(ui.Notify("Chats are not saved here"))
		return nil
	}
	l.loading.Forget()
	_, number, _ := l.loading.Ask(l.ui.Ctx, true, l.ui.Now())
	load := l.record.sessions.Load
	return l.ui.Tasks.Command(func() tea.Msg {
		sessions, err := load()
		return listedMsg{number, sessions, err, as}
	})
}

func (l *sessionList) handle(msg listedMsg) {
	if !l.loading.Accept(msg.number) {
		return
	}
	if msg.err != nil {
		l.ui.Post(ui.Failed{Doing: "loading chats", Said: "Couldn't load the saved chats", Err: msg.err})
		return
	}
	clean := make([]agent.Session, len(msg.sessions))
	for i, s := range msg.sessions {
		clean[i] = cleanSession(s)
	}
	l.ui.Post(dialog.Open{Dialog: l.menu(clean, msg.as)})
}

// menu returns the list as it was asked for.
func (l *sessionList) menu(sessions []agent.Session, as spot) *dialog.Menu {
	byID := map[string]agent.Session{}
	for _, s := range sessions {
		byID[s.ID] = s
	}
	var list *dialog.Menu
	on := func(verb string, do func(agent.Session, spot) tea.Cmd) func(dialog.Item) (tea.Cmd, string) {
		return func(item dialog.Item) (tea.Cmd, string) {
			s, ok := byID[sessionOf(item.ID)]
			if !ok {
				return nil, "No chat to " + verb + " on this row"
			}
			return do(s, spot{archived: as.archived, at: item.ID, row: list.Row()}), ""
		}
	}
	list = dialog.NewMenu(l.ui, dialog.MenuOptions{
		Title: "Chats: enter resumes, ctrl+r renames, ctrl+t pins, ctrl+x archives",
		None:  "No such chat",
		Items: append([]dialog.Item{{Label: "New chat", Do: l.begin}}, l.items(byID, as.archived)...),
		Also: map[string]dialog.Action{
			"ctrl+r": {Do: on("rename", l.rename), Opens: true},
			"ctrl+t": {Do: on("pin", l.changing(func(s *agent.Session) { s.Pinned = !s.Pinned }))},
			"ctrl+x": {Do: on("archive", l.changing(func(s *agent.Session) { s.Archived = !s.Archived }))},
		},
	})
	list.Seek(as.at, as.row)
	return list
}

// items lists chats, pinned ones first, then by time, each followed by its conclusions.
func (l *sessionList) items(byID map[string]agent.Session, archived bool) []dialog.Item {
	var sessions []agent.Session
	away := 0
	for _, s := range byID {
		if s.Archived && !archived {
			away++
			continue
		}
		sessions = append(sessions, s)
	}
	slices.SortFunc(sessions, func(a, b agent.Session) int {
		if a.Pinned != b.Pinned {
			return map[bool]int{true: -1, false: 1}[a.Pinned]
		}
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	var items []dialog.Item
	for _, s := range sessions {
		label, right := s.Name, l.ui.Day(s.Updated)
		if s.Pinned {
			label = l.ui.Theme.Glyphs.Mark + " " + label
		}
		if s.Archived {
			right = l.ui.Theme.Remarks("archived", right)
		}
		resume := func(exchange int) func() tea.Cmd { return func() tea.Cmd { return l.resume(s, exchange) } }
		items = append(items, dialog.Item{ID: s.ID, Label: label, Right: right, Do: resume(-1)})
		for i, e := range s.Exchanges {
			if e.Conclusion {
				items = append(items, dialog.Item{
					ID:    s.ID + "/" + strconv.Itoa(i),
					Label: "  " + l.ui.Theme.Glyphs.Done + " " + nameOf(e.Answer),
					Right: "conclusion",
					Do:    resume(i),
				})
			}
		}
	}
	if away > 0 {
		items = append(items, dialog.Item{
			Label: "Show archived chats",
			Right: strconv.Itoa(away),
			Do:    func() tea.Cmd { return l.open(spot{archived: true}) },
		})
	}
	return items
}

// sessionOf returns the chat ID of an item, which may be a conclusion.
func sessionOf(id string) string {
	session, _, _ := strings.Cut(id, "/")
	return session
}

// rename asks for a new name.
func (l *sessionList) rename(s agent.Session, as spot) tea.Cmd {
	answer := func(name string) (tea.Cmd, string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		return l.change(s, func(s *agent.Session) { s.Name = name }, as), ""
	}
	prompt := dialog.PromptOptions{Label: "Chat name", Hint: "what it is about", Text: s.Name, Answer: answer}
	l.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(l.ui, prompt)})
	return nil
}

func (l *sessionList) changing(how func(*agent.Session)) func(agent.Session, spot) tea.Cmd {
	return func(s agent.Session, as spot) tea.Cmd { return l.change(s, how, as) }
}

// change edits and saves a chat, then lists all again.
func (l *sessionList) change(s agent.Session, how func(*agent.Session), as spot) tea.Cmd {
	save, list := l.record.change(s, how), l.open(as)
	return func() tea.Msg {
		saved := save()
		if saved, ok := saved.(savedMsg); !ok || saved.err != nil {
			return saved
		}
		return tea.BatchMsg{func() tea.Msg { return saved }, list}
	}
}
