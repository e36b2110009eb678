package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/chat"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// The list of saved chats. It also shows the answers that were pinned as conclusions.

// openSessions lists the saved chats.
func (m *model) openSessions(listed chat.Listed) tea.Cmd {
	as, byID := listed.As, map[string]agent.Session{}
	for _, s := range listed.Sessions {
		byID[s.ID] = s
	}
	var list *dialog.Menu
	on := func(verb string, do func(agent.Session, chat.Spot) tea.Cmd) func(dialog.Item) (tea.Cmd, string) {
		return func(item dialog.Item) (tea.Cmd, string) {
			s, ok := byID[sessionOf(item.ID)]
			if !ok {
				return nil, "No chat to " + verb + " on this row"
			}
			return do(s, chat.Spot{Archived: as.Archived, At: item.ID, Row: list.Row()}), ""
		}
	}
	list = dialog.NewMenu(m.ui, dialog.MenuOptions{
		Title: "Chats: enter resumes, ctrl+r renames, ctrl+t pins, ctrl+x archives",
		None:  "No such chat",
		Items: append([]dialog.Item{{Label: "New chat", Do: m.chat.Begin}}, m.sessionItems(byID, as.Archived)...),
		Also: map[string]func(dialog.Item) (tea.Cmd, string){
			"ctrl+r": on("rename", m.rename),
			"ctrl+t": on("pin", m.changing(func(s *agent.Session) { s.Pinned = !s.Pinned })),
			"ctrl+x": on("archive", m.changing(func(s *agent.Session) { s.Archived = !s.Archived })),
		},
	})
	list.Seek(as.At, as.Row)
	return m.open(list)
}

// sessionItems lists chats, pinned ones first, then by time, each followed by its conclusions.
func (m *model) sessionItems(byID map[string]agent.Session, archived bool) []dialog.Item {
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
		label, right := s.Name, m.ui.Day(s.Updated)
		if s.Pinned {
			label = m.ui.Theme.Glyphs.Mark + " " + label
		}
		if s.Archived {
			right = m.ui.Theme.Remarks("archived", right)
		}
		resume := func(exchange int) func() tea.Cmd { return func() tea.Cmd { return m.chat.Resume(s, exchange) } }
		items = append(items, dialog.Item{ID: s.ID, Label: label, Right: right, Do: resume(-1)})
		for i, e := range s.Exchanges {
			if e.Conclusion {
				items = append(items, dialog.Item{
					ID:    s.ID + "/" + strconv.Itoa(i),
					Label: "  " + m.ui.Theme.Glyphs.Done + " " + chat.NameOf(e.Answer),
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
			Do:    func() tea.Cmd { return m.chat.List(chat.Spot{Archived: true}) },
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
func (m *model) rename(s agent.Session, as chat.Spot) tea.Cmd {
	answer := func(name string) (tea.Cmd, string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		return m.chat.Change(s, func(s *agent.Session) { s.Name = name }, as), ""
	}
	return m.ask(dialog.PromptOptions{Label: "Chat name", Hint: "what it is about", Text: s.Name, Answer: answer})
}

func (m *model) changing(how func(*agent.Session)) func(agent.Session, chat.Spot) tea.Cmd {
	return func(s agent.Session, as chat.Spot) tea.Cmd { return m.chat.Change(s, how, as) }
}
