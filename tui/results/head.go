package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui"
)

// What is above the rows: which of the results are listed, and of which conversations they are.

// name names what is listed, which may be of an older query.
func (f Found) name() string {
	switch {
	case f.Searched && f.Peek != nil && f.Peek.IsNearest():
		return "Nearest"
	case f.Searched, f.Peek == nil && f.Missing.Searching:
		return "Matches"
	}
	return "Turns"
}

// isShort reports whether more matches were counted than are listed, as while one types.
func (f Found) isShort() bool {
	return f.Searched && f.Peek != nil && len(f.Peek.Matches) < f.Peek.Histogram.Total && (f.Missing.Typing || !f.Final)
}

// inView returns how many matches are in view. Undated ones are only when the whole archive is.
func (f Found) inView() int {
	if f.All {
		return f.Peek.Histogram.Total
	}
	return len(f.View.Of(f.Peek.Times))
}

// noneHasWords says that what is listed is only near in meaning.
func (f Found) noneHasWords() string { return "None has " + f.words() }

// words names what is asked for.
func (f Found) words() string {
	if f.Peek.Words.One() {
		return "the word"
	}
	return "the words"
}

// otherTimes says that only other times have the words, and the key that leaves the window; "" if they do not.
func (f Found) otherTimes(c *ui.Context) string {
	if !f.Missing.Windowed || f.Missing.Holding == 0 || !f.Peek.OnlyNear() {
		return ""
	}
	return "None here has " + f.words() + "; " + f.Missing.showAll(c) + " shows " + theme.Number(f.Missing.Holding)
}

// part says how many matches are in the brush or window, and of how many, if these are more and known. A window may
// have others than the best of all time.
func (f Found) part(inView int) string {
	whole, where := f.Peek.Histogram.Total, " in the brush"
	if !f.Brushed {
		where = " in this window"
		if m := f.Missing; m.Windowed && m.ElsewhereKnown && !m.AtLeast {
			whole = m.Elsewhere
		}
	}
	if whole <= inView {
		return theme.Number(inView) + where
	}
	return theme.Number(inView) + " of " + theme.Number(whole) + where
}

// remark says which matches are listed. With final nothing may follow.
func (f Found) remark(listed int, by Sorting, c *ui.Context) (remark string, final bool) {
	if f.Stale {
		return "of the query before", true
	}
	if !f.Searched {
		return f.browsed(listed), false
	}
	if other := f.otherTimes(c); other != "" {
		return other, true
	}
	inView := f.inView()
	if f.Peek.Coverage.Faint {
		if other := f.Missing.Suggestion; other != "" {
			return "No clear match; " + f.Missing.keyToAccept(c) + ": " + c.Theme.Quoted(other), true
		}
		return f.Missing.unclear(c)
	}
	switch other := f.Missing.Suggestion; {
	case !f.Peek.OnlyNear():
	case other != "":
		return f.noneHasWords() + "; " + f.Missing.keyToAccept(c) + ": " + c.Theme.Quoted(other), true
	case f.Peek.IsNearest() && !f.Brushed && !f.Kept:
		return f.noneHasWords(), false
	}
	remark = by.words()
	switch {
	case f.Kept: // the bar counts those in view
		remark = theme.Number(inView) + " of all time, " + remark
	case inView == 0 && !f.Brushed:
	case f.All:
		remark = theme.Number(inView) + ", " + remark
	case by.ByDate:
		remark = f.part(inView) + ", " + remark
	default: // as the bars of scores show
		remark = f.part(inView)
	}
	if listed < inView {
		remark += ", " + theme.Number(listed) + " listed"
	}
	return remark, false
}

// browsed says which turns are listed, and of how many.
func (f Found) browsed(listed int) string {
	which := "newest"
	if f.Oldest {
		which = "oldest"
	}
	says := which + " first"
	if inView := f.inView(); listed < inView {
		says = which + " " + theme.Number(listed) + " of " + theme.Number(inView)
	}
	if f.Kept {
		says += ", all time"
	}
	return says
}

// doubt says what the language of the query leaves out, then that the archive hardly speaks of it; "" for neither.
func (f Found) doubt() string {
	if f.Peek == nil || f.Stale || !f.Searched {
		return ""
	}
	if f.Peek.Histogram.Total == 0 { // there is nothing to doubt
		return f.Peek.Language
	}
	return strings.TrimSpace(f.Peek.Language + " " + f.Peek.HardlySpeaks())
}

// namesConversations reports whether a line names conversations: without a query those with the most turns in view,
// where it stays while they are counted; else those whose titles have the words of the query.
func (f Found) namesConversations() bool {
	switch {
	case f.Peek == nil, f.NoTurns != "":
		return false
	case f.Searched:
		return f.titlesCount() > 0 && f.onlyTitled()
	}
	return !f.Missing.Searching && !f.Missing.OneConversation && (len(f.Fullest) > 0 || !f.Current)
}

// conversations names as many of them as fit.
func (f Found) conversations(width int, c *ui.Context) string {
	switch {
	case f.Stale || !f.Searched && !f.Current:
		return ""
	case f.Searched:
		return f.titles(width, c)
	}
	line := theme.Indented("most active: ")
	for i, most := range f.Fullest {
		count := fmt.Sprintf(" (%s)", theme.Number(most.Turns))
		if i == 0 {
			line += ansi.Truncate(most.Title, max(0, width-len(line)-len(count)), c.Theme.Glyphs.Ellipsis) + count
			continue
		}
		if next := line + ", " + most.Title + count; ansi.StringWidth(next) <= width {
			line = next
		}
	}
	return c.Theme.Dim.Render(line)
}

// titlesCount is how many titles have the words of the query. They are of all time: none count in a brush.
func (f Found) titlesCount() int {
	if f.Peek == nil || len(f.Peek.Titles) == 0 || f.Brushed && !f.Kept {
		return 0
	}
	return max(f.Peek.TitleCount, len(f.Peek.Titles))
}

// titlesCounted names the key that lists the titles with the words, in more words and in fewer, where matches are in
// all their conversations.
func (f Found) titlesCounted(c *ui.Context) (ways []string) {
	count := f.titlesCount()
	if !f.Searched || f.Stale || f.NoTurns != "" || count < 2 || f.onlyTitled() {
		return nil
	}
	key, titles := c.Key("conversations"), " "+theme.Number(count)+" titles"
	for _, titles := range []string{titles + " with " + f.titleWords(c), titles} {
		ways = append(ways, key+c.Theme.Dim.Render(titles))
	}
	return ways
}

// titleWords names the words that titles have.
func (f Found) titleWords(c *ui.Context) string {
	if word := f.Peek.TitleWord; word != "" {
		return c.Theme.Quoted(word)
	}
	return f.words()
}

// titles names up to two titles with the words of the query, or with the rarest, as many as fit and one at least, and
// says which key lists them.
func (f Found) titles(width int, c *ui.Context) string {
	n := f.titlesCount()
	where, key, does := "a title", c.Key("conversations"), " shows it"
	if n > 1 {
		where, does = theme.Number(n)+" titles", " lists them"
	}
	remark := func(says string) string { return theme.Indented(c.Theme.Remarks(says, key+does)) }
	styled := func(line string) string {
		dim := c.Theme.Dim.Render
		return dim(strings.TrimSuffix(line, key+does)) + c.Theme.Key.Render(key) + dim(does)
	}
	says := "In " + where + ": "
	if f.Peek.TitleWord != "" {
		says = f.titleWords(c) + " in " + where + ": "
	}
	for named := min(n, len(f.Peek.Titles), mostNamed); named > 0; named-- {
		var names []string
		for _, t := range f.Peek.Titles[:named] {
			name := t.Title
			if t.Time != nil {
				name += ", " + c.Day(*t.Time)
			}
			names = append(names, name)
		}
		if line := remark(says + strings.Join(names, "; ")); theme.Width(line) <= width {
			return styled(line)
		}
	}
	first, ellipsis := f.Peek.Titles[0].Title, c.Theme.Glyphs.Ellipsis
	if room := width - theme.Width(remark(says)); room >= leastNamed {
		return styled(remark(says + ansi.Truncate(first, room, ellipsis)))
	}
	return c.Theme.Dim.Render(ansi.Truncate(theme.Indented(says+first), width, ellipsis))
}

// mostNamed is how many titles are named, and leastNamed how many cells of one are left beside the key.
const mostNamed, leastNamed = 2, 12

// onlyTitled reports whether no match is a turn with all words of the query, or none is of some conversation that is
// named for its title.
func (f Found) onlyTitled() bool {
	if !f.Searched {
		return false
	}
	if o := f.Peek.Occurrences; o != nil && o.Total == 0 {
		return true
	}
	return slices.ContainsFunc(f.Peek.Titles, func(t retrieval.TitleMatch) bool {
		return !slices.ContainsFunc(f.Peek.Matches, func(m retrieval.Match) bool { return m.Conversation == t.Conversation })
	})
}
