package app

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/ui"
)

// offer is a command as the palette shows it. Commands without one only move something, and have their keys for that.
type offer struct {
	id    string
	name  string
	about string // what it does, or to what
	words string // what else people call it
}

// offers are in the order of the palette: what is useful first.
var offers = []offer{
	{"query", "Search", "find turns by words and meaning", "find look query"},
	{"chat", "Ask the archive", "an answer with sources", "chat question ai model"},
	{"type-range", "Go to a date", "2024-05, may 2023, last 90d", "time when range jump"},
	{"back", "Back", "undo the last move: zoom, query, place", "undo previous"},
	{"pin", "Compare with another query", "keeps this one as a colored row", "pin versus chart keep answer conclusion"},
	{"sort", "Sort matches", "best, newest or oldest first", "order newest oldest score date"},
	{"filters", "Filter matches", "source, role, model, code, tag", "only facet role model source"},
	{"conversations", "Conversations", "by date, topic, source, starred", "titles chats list browse starred"},
	{"links", "Links", "of this turn", "browser open url original"},
	{"write", "Export", "this turn or the marked ones, to a file", "save file markdown download"},
	{"copy", "Copy a part", "choose which", "yank clipboard turn question answer code block link"},
	{"bookmark", "Bookmark this place", "query, window and turn", "remember favorite star"},
	{"bookmarks", "Bookmarks", "go to one", "remember favorites stars"},
	{"home", "Home", "what the archive is about", "start overview topics years"},
	{"import", "Import an export", "a zip, file or folder", "add load open data"},
	{"found", "Import what is on this machine", "chats that were found here", "add load open data"},
	{"jobs", "Jobs", "import, embedding; cancel them", "import add load open data progress"},
	{"unfold", "Unfold", "the other matches of this conversation", "more conversation"},
	{"mark", "Mark", "turns to export or copy together", "select choose"},
	{"more-like-this", "More like this", "turns near this one in meaning", "similar related alike"},
	{"keep-all", "Keep all", "list matches out of view, too", "scope window brush"},
	{"bring-window", "Bring the window here", "to the turn that is read", "scroll follow"},
	{"brush", "Select bins", "then move, and enter zooms", "range drag brush"},
	{"show-all", "Show all time", "the whole archive", "reset whole zoom"},
	{"next-chart", "Change the chart", "bars, line, pinned queries", "compare lines bars"},
	{"toggle-share", "Counts or shares", "matches as a share of all turns", "percent normalize baseline"},
	{"toggle-occurrences", "Matches or occurrences", "the best, or all turns with all words", "count hits words"},
	{"finer-bins", "Finer bins", "a smaller unit", "bars day week month"},
	{"coarser-bins", "Coarser bins", "a larger unit", "bars month quarter year"},
	{"auto-bins", "Bins that fit", "the finest unit with room", "automatic bars"},
	{"landmarks", "Landmarks", "first and last match, peaks, longest silence", "first last silence longest peak"},
	{"pinned", "Compared queries", "what is pinned: queries, answers", "pins conclusions"},
	{"drop-filter", "Drop the last filter", "", "remove clear facet chip"},
	{"take-suggestion", "Accept the suggestion", "did you mean", "spelling"},
	{"info", "Details", "of this match: score, model, source", "facts score why info"},
	{"find", "Find in this conversation", "a text, in all of its turns", "search look inside"},
	{"toggle-raw", "Raw text", "as it is stored", "markdown source plain"},
	{"next-version", "Next version", "of this answer or this question", "answer regenerated edited"},
	{"copy-turn", "Copy this turn", "as Markdown", "yank clipboard"},
	{"copy-code", "Copy the code", "the block in view", "yank clipboard"},
	{"copy-link", "Copy a link", "of this turn", "yank clipboard url"},
	{"copy-answer", "Copy the answer", "of this turn", "yank clipboard"},
	{"editor", "Open in the editor", "this turn or the marked ones", "edit vim"},
	{"pager", "Open in the pager", "this turn or the marked ones", "less"},
	{"search-offline", "Search offline", "with a proof that nothing is sent", "private proof"},
	{"new-session", "New chat", "the current one stays saved", "session begin"},
	{"sessions", "Saved chats", "continue, rename or archive one", "history sessions"},
	{"fold-steps", "Unfold the steps", "of answers, or fold them", "details steps"},
	{"retry", "Retry", "what failed; in the chat ask again", "again repeat reload"},
	{"forward", "Forward", "", "redo next"},
	{"maximise", "Full size", "this pane alone", "full screen zoom size maximize"}, //nolint:misspell // a command id
	{"next-theme", "Theme", "dark, light, mono, ascii", "color dark light"},
	{"local-time", "Time zone", "local or UTC", "zone utc hours clock"},
	{"toggle-mouse", "Mouse on or off", "off, the terminal selects text", "select"},
	{"narrower", "Narrower list", "", "resize panes width"},
	{"wider", "Wider list", "", "resize panes width"},
	{"lower", "Lower chart", "or chat, if that has the focus", "resize panes height"},
	{"higher", "Higher chart", "or chat, if that has the focus", "resize panes height"},
	{"errors", "Errors", "the latest ones, with details", "log failure"},
	{"redraw", "Redraw", "and repeat what failed", "refresh repaint"},
	{"lock", "Lock", "until the passphrase is typed", "encrypt passphrase"},
	{"suspend", "Suspend", "back to the shell", "background"},
	{"help", "Keys", "of this pane and everywhere", "help shortcuts"},
	{"quit", "Quit", "", "exit close leave"},
}

// offerOf returns how the palette shows a command; false for one that it does not offer.
func offerOf(id string) (offer, bool) {
	at := slices.IndexFunc(offers, func(o offer) bool { return o.id == id })
	if at < 0 {
		return offer{}, false
	}
	return offers[at], true
}

// wordsOf returns the words by which palette and help find a command beside its name there.
func wordsOf(id string) string {
	o, _ := offerOf(id)
	return strings.Join([]string{o.name, o.words, o.about, strings.ReplaceAll(id, "-", " ")}, " ")
}

// nameOfCommand names a command.
func nameOfCommand(c ui.Command) string {
	o, _ := offerOf(c.ID)
	return cmp.Or(o.name, c.Group, strings.ReplaceAll(c.ID, "-", " "))
}

// mostRecent bounds how many of the commands that were chosen last come first.
const mostRecent = 3

// openPalette lists what can be done here, with the keys. The latest choices come first.
func (m *model) openPalette() tea.Cmd {
	here := m.focus
	switch {
	case here == paneQuestion:
		here = paneChat
	case here.isTyped():
		here = paneTimeline
	}
	all := m.keys.at(here)
	if m.archive.IsEmpty() {
		all = slices.Concat(m.keys.welcome, m.keys.global)
	}
	var items []dialog.Item
	for _, o := range offers {
		at := named(all, o.id)
		if at < 0 || !all[at].IsOffered() {
			continue
		}
		c, key := all[at], ""
		if keys := c.Keys(); len(keys) > 0 {
			key = keyLabel(keys[0])
		}
		items = append(items, dialog.Item{
			ID:    o.id,
			Label: o.name,
			About: o.about,
			Right: key,
			Words: wordsOf(o.id),
			Do: func() tea.Cmd {
				m.focus = here
				m.chose(o.id)
				return c.Do()
			},
		})
	}
	slices.SortStableFunc(items, func(a, b dialog.Item) int { return cmp.Compare(m.lately(a.ID), m.lately(b.ID)) })
	m.openMenu(dialog.MenuOptions{
		Title: "Commands", None: "No such command", Hint: "what do you want to do?", Items: items,
	})
	return nil
}

// chose remembers a command that was chosen.
func (m *model) chose(id string) {
	others := slices.DeleteFunc(slices.Clone(m.recent), func(r string) bool { return r == id })
	m.recent = append([]string{id}, others[:min(len(others), mostRecent-1)]...)
}

// lately returns how long ago a command was chosen, in commands.
func (m *model) lately(id string) int {
	if at := slices.Index(m.recent, id); at >= 0 {
		return at
	}
	return mostRecent
}
