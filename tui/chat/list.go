package chat

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/internal/errs"
	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// sessionList lists the saved chats, and the answers that were pinned as conclusions, in a menu. It reads the latest
// chats; older ones are asked for.
type sessionList struct {
	ui     *ui.Context
	record *record
	begin  func() tea.Cmd                        // begins a new chat
	resume func(id string, exchange int) tea.Cmd // continues one; see Chat.resume

	loading async.Latest[bool]
}

// chatsAtOnce is the number of chats that are listed until older ones are asked for.
const chatsAtOnce = 100

// spot is a position in the list.
type spot struct {
	archived bool   // archived chats are listed, too
	older    int    // how often older chats were asked for
	at       string // the item under the cursor
	row      int    // used when that item is gone
}

// most is the number of chats that are listed.
func (s spot) most() int { return chatsAtOnce * (1 + s.older) }

// listing has the chats of a list.
type listing struct {
	chats []listed // pinned ones first, then by time
	older bool     // there are older ones
	away  bool     // archived ones are left out
}

// listed is a saved chat with its conclusions.
type listed struct {
	agent.SessionSummary
	conclusions []conclusion
}

// conclusion is an answer that the user pinned.
type conclusion struct {
	exchange int // its index
	answer   string
}

// listedMsg delivers the list.
type listedMsg struct {
	number int
	found  listing
	err    error
	as     spot
}

// open reads the saved chats, and opens the list when they have arrived.
func (l *sessionList) open(as spot) tea.Cmd {
	if l.record.saver.sessions == nil {
		l.ui.Post(ui.Notify("Chats are not saved here"))
		return nil
	}
	l.loading.Forget()
	ctx, number, _ := l.loading.Ask(l.ui.Ctx, true, l.ui.Now())
	return l.ui.Tasks.Command(func() tea.Msg {
		_ = l.record.saveNow() // the list has the latest question; Save reports a failure
		found, err := readList(ctx, l.record.saver.sessions, as)
		return listedMsg{number, found, err, as}
	})
}

// readList reads the chats that a list shows. Its texts are clean.
func readList(ctx context.Context, from Sessions, as spot) (found listing, err error) {
	read := func(page agent.SessionPage) []agent.SessionSummary {
		var some []agent.SessionSummary
		if err == nil {
			some, err = from.List(ctx, page)
		}
		return some
	}
	var all []agent.SessionSummary
	for _, pinned := range []bool{true, false} {
		all = append(all, read(agent.SessionPage{Pinned: &pinned, Limit: as.most() + 1})...)
	}
	if as.archived {
		all = append(all, read(agent.SessionPage{Archived: true, Limit: as.most() + 1})...)
	} else {
		found.away = len(read(agent.SessionPage{Archived: true, Limit: 1})) > 0
	}
	slices.SortFunc(all, func(a, b agent.SessionSummary) int {
		if a.Pinned != b.Pinned {
			return map[bool]int{true: -1, false: 1}[a.Pinned]
		}
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	if found.older = len(all) > as.most(); found.older {
		all = all[:as.most()]
	}
	for _, one := range all {
		one.Name = ui.Line(one.Name)
		chat := listed{SessionSummary: one}
		if one.Conclusions > 0 && err == nil {
			chat.conclusions, err = readConclusions(ctx, from, one.ID)
		}
		found.chats = append(found.chats, chat)
	}
	return found, err
}

// readConclusions returns none for a chat that was forgotten meanwhile.
func readConclusions(ctx context.Context, from Sessions, id string) (pinned []conclusion, err error) {
	one, err := from.Session(ctx, id)
	if errs.CodeOf(err) == errs.NotFound {
		return nil, nil
	}
	for i, e := range one.Exchanges {
		if e.Conclusion {
			pinned = append(pinned, conclusion{i, nameOf(e.Answer)})
		}
	}
	return pinned, err
}

func (l *sessionList) handle(msg listedMsg) {
	if !l.loading.Accept(msg.number) {
		return
	}
	if msg.err != nil {
		l.ui.Post(ui.Failed{Doing: "loading chats", Said: "Couldn't load the saved chats", Err: msg.err})
		return
	}
	l.ui.Post(dialog.Open{Dialog: l.menu(msg.found, msg.as)})
}

// menu returns the list as it was asked for.
func (l *sessionList) menu(found listing, as spot) *dialog.Menu {
	byID := map[string]listed{}
	for _, one := range found.chats {
		byID[one.ID] = one
	}
	var list *dialog.Menu
	on := func(verb string, do func(listed, spot) tea.Cmd) func(dialog.Item) (tea.Cmd, string) {
		return func(item dialog.Item) (tea.Cmd, string) {
			one, ok := byID[sessionOf(item.ID)]
			if !ok {
				return nil, "No chat to " + verb + " on this row"
			}
			now := as
			now.at, now.row = item.ID, list.Row()
			return do(one, now), ""
		}
	}
	list = dialog.NewMenu(l.ui, dialog.MenuOptions{
		Title: "Chats: enter resumes, ctrl+r renames, ctrl+t pins, ctrl+x archives",
		None:  "No such chat",
		Items: append([]dialog.Item{{Label: "New chat", Do: l.begin}}, l.items(found, as)...),
		Also: map[string]dialog.Action{
			"ctrl+r": {Do: on("rename", l.rename), Opens: true},
			"ctrl+t": {Do: on("pin", l.pin)},
			"ctrl+x": {Do: on("archive", l.archive)},
		},
	})
	list.Seek(as.at, as.row)
	return list
}

// items lists chats, each followed by its conclusions.
func (l *sessionList) items(found listing, as spot) []dialog.Item {
	var items []dialog.Item
	for _, one := range found.chats {
		label, right := one.Name, l.ui.DayColumn(one.Updated)
		if one.Pinned {
			label = l.ui.Theme.Glyphs.Mark + " " + label
		}
		if one.Archived {
			right = l.ui.Theme.Remarks("archived", right)
		}
		resume := func(exchange int) func() tea.Cmd { return func() tea.Cmd { return l.resume(one.ID, exchange) } }
		items = append(items, dialog.Item{ID: one.ID, Label: label, Right: right, Do: resume(-1)})
		for _, c := range one.conclusions {
			items = append(items, dialog.Item{
				ID:    one.ID + "/" + strconv.Itoa(c.exchange),
				Label: "  " + l.ui.Theme.Glyphs.Done + " " + c.answer,
				Right: "conclusion",
				Do:    resume(c.exchange),
			})
		}
	}
	if found.older {
		next := spot{archived: as.archived, older: as.older + 1, row: len(items) + 1}
		items = append(items, dialog.Item{Label: "Show older chats", Do: func() tea.Cmd { return l.open(next) }})
	}
	if found.away {
		items = append(items, dialog.Item{
			Label: "Show archived chats",
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
func (l *sessionList) rename(one listed, as spot) tea.Cmd {
	answer := func(name string) (tea.Cmd, string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		return l.change(one.ID, func(s *agent.Session) { s.Name = name }, as), ""
	}
	prompt := dialog.PromptOptions{Label: "Chat name", Hint: "what it is about", Text: one.Name, Answer: answer}
	l.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(l.ui, prompt)})
	return nil
}

// pin pins a chat, or no longer.
func (l *sessionList) pin(one listed, as spot) tea.Cmd {
	return l.change(one.ID, func(s *agent.Session) { s.Pinned = !one.Pinned }, as)
}

// archive archives a chat, or no longer.
func (l *sessionList) archive(one listed, as spot) tea.Cmd {
	return l.change(one.ID, func(s *agent.Session) { s.Archived = !one.Archived }, as)
}

// change changes and saves a chat, then lists all again.
func (l *sessionList) change(id string, how change, as spot) tea.Cmd {
	save, list := l.record.edit(id, how), l.open(as)
	return func() tea.Msg {
		saved := save()
		if saved, ok := saved.(savedMsg); !ok || saved.err != nil {
			return saved
		}
		return tea.BatchMsg{func() tea.Msg { return saved }, list}
	}
}
