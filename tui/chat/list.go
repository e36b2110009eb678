package chat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// The list of saved chats. It also shows the answers that were pinned as conclusions.

// openList opens the list as it was asked for.
func (c *Chat) openList(sessions []agent.Session, as spot) {
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
	list = dialog.NewMenu(c.ui, dialog.MenuOptions{
		Title: "Chats: enter resumes, ctrl+r renames, ctrl+t pins, ctrl+x archives",
		None:  "No such chat",
		Items: append([]dialog.Item{{Label: "New chat", Do: c.begin}}, c.items(byID, as.archived)...),
		Also: map[string]func(dialog.Item) (tea.Cmd, string){
			"ctrl+r": on("rename", c.rename),
			"ctrl+t": on("pin", c.changing(func(s *agent.Session) { s.Pinned = !s.Pinned })),
			"ctrl+x": on("archive", c.changing(func(s *agent.Session) { s.Archived = !s.Archived })),
		},
	})
	list.Seek(as.at, as.row)
	c.ui.Post(dialog.Open{Dialog: list})
}

// items lists chats, pinned ones first, then by time, each followed by its conclusions.
func (c *Chat) items(byID map[string]agent.Session, archived bool) []dialog.Item {
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
		label, right := s.Name, c.ui.Day(s.Updated)
		if s.Pinned {
			label = c.ui.Theme.Glyphs.Mark + " " + label
		}
		if s.Archived {
			right = c.ui.Theme.Remarks("archived", right)
		}
		resume := func(exchange int) func() tea.Cmd { return func() tea.Cmd { return c.resume(s, exchange) } }
		items = append(items, dialog.Item{ID: s.ID, Label: label, Right: right, Do: resume(-1)})
		for i, e := range s.Exchanges {
			if e.Conclusion {
				items = append(items, dialog.Item{
					ID:    s.ID + "/" + strconv.Itoa(i),
					Label: "  " + c.ui.Theme.Glyphs.Done + " " + nameOf(e.Answer),
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
			Do:    func() tea.Cmd { return c.list(spot{archived: true}) },
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
func (c *Chat) rename(s agent.Session, as spot) tea.Cmd {
	answer := func(name string) (tea.Cmd, string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		return c.change(s, func(s *agent.Session) { s.Name = name }, as), ""
	}
	prompt := dialog.PromptOptions{Label: "Chat name", Hint: "what it is about", Text: s.Name, Answer: answer}
	c.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(c.ui, prompt)})
	return nil
}

func (c *Chat) changing(how func(*agent.Session)) func(agent.Session, spot) tea.Cmd {
	return func(s agent.Session, as spot) tea.Cmd { return c.change(s, how, as) }
}
