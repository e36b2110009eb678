package results

import (
	"strings"

	"lens/tui/theme"
	"lens/tui/ui"
)

// invitation is shown before there are results.
func (m Missing) invitation(c *ui.Context) []string {
	if m.Searching {
		return nil
	}
	key, does := c.Key("query"), "  find what you talked about, and when"
	return []string{"", "  " + c.Theme.Accent.Render(key) + c.Theme.Dim.Render(does)}
}

// unclear says that only the nearest are shown and, where a window or filters may have hidden better ones, which are in
// force and the keys that drop them. With final nothing may follow.
func (m Missing) unclear(c *ui.Context) (remark string, final bool) {
	remark = "No clear match"
	var keys []string
	if len(m.Filters) > 0 {
		keys = append(keys, c.Key("drop-filter")+" drops "+m.Filters[len(m.Filters)-1])
	}
	if m.Windowed {
		remark += " in view"
		keys = append(keys, c.Key("histogram.show-all")+" shows all")
	}
	if len(keys) == 0 {
		return remark + "; showing the nearest", false
	}
	plain := func(text string) string { return text }
	return remark + "; " + m.leaving(c, plain, plain) + strings.Join(keys, ", "), true
}

// lines explain an empty list and how to undo it, with the keys that work where the focus is. all: no window hides
// anything.
func (m Missing) lines(all bool, c *ui.Context) []string {
	if all || m.ElsewhereKnown && m.Elsewhere == 0 {
		return m.nothing(c)
	}
	key, dim := c.Theme.Key.Render, c.Theme.Dim.Render
	lines := []string{"", dim("  No matches in this window")}
	if !m.Searching {
		lines[1] = dim("  No turns in this window")
	}
	if m.ElsewhereKnown {
		lines = append(lines, dim("  The whole archive has "+m.elsewhere()))
	}
	leave := "  " + m.leaving(c, key, dim) + key(c.Key("histogram.show-all"))
	return append(lines, leave+dim(" show all "+c.Theme.Glyphs.Separator+" ")+key(c.Key("back"))+dim(" back"))
}

// leaving names the key that leaves the query, where one types, before keys that work everywhere else. key and dim draw
// it.
func (m Missing) leaving(c *ui.Context, key, dim func(text string) string) string {
	if !m.Typing {
		return ""
	}
	return key(c.Key("query.leave-query")) + dim(", then ")
}

// showAll names the keys that leave the window.
func (m Missing) showAll(c *ui.Context) string {
	if m.Typing {
		return c.Key("query.leave-query") + " " + c.Key("histogram.show-all")
	}
	return c.Key("histogram.show-all")
}

// zoomIn names the key that zooms into the brush and, where the chart has not the focus, the one that moves it there.
func (m Missing) zoomIn(c *ui.Context) string {
	key, dim := c.Theme.Key.Render, c.Theme.Dim.Render
	line := "  "
	if m.ToChart != "" {
		line += key(m.ToChart) + dim(", then ")
	}
	return line + key(c.Key("histogram.look-into")) + dim(" zooms in and lists them")
}

// elsewhere writes how many matches all time has.
func (m Missing) elsewhere() string {
	if m.AtLeast {
		return "more than " + m.count(m.Elsewhere)
	}
	return m.count(m.Elsewhere)
}

// count writes how many matches there are or, without a query, turns.
func (m Missing) count(n int) string {
	if m.Searching {
		return theme.Count(n, "match", "matches")
	}
	return theme.Count(n, "turn", "turns")
}

// nothing says that the whole archive has no match, and suggests what to change.
func (m Missing) nothing(c *ui.Context) []string {
	key, dim := c.Theme.Key.Render, c.Theme.Dim.Render
	switch {
	case len(m.Filters) > 0:
		leave := "  " + m.leaving(c, key, dim) + key(c.Key("drop-filter"))
		leave += dim(" drops the last "+c.Theme.Glyphs.Separator+" ") + key(c.Key("matches.filters")) + dim(" all filters")
		return []string{"", dim("  No matches"), dim("  Filters: " + strings.Join(m.Filters, ", ")), leave}
	case m.Suggestion != "":
		meant := dim("  Did you mean ") + c.Theme.Quoted(m.Suggestion) + dim("?  ")
		return []string{"", dim("  No matches"), meant + key(m.keyToAccept(c)) + dim(" accepts")}
	}
	return []string{"", dim("  No matches. Try other words")}
}

// keyToAccept returns the key that searches for the suggestion, where the focus is.
func (m Missing) keyToAccept(c *ui.Context) string {
	if m.Typing {
		return c.Key("query.take-suggestion")
	}
	return c.Key("take-suggestion")
}
