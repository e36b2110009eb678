package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// command is what a key does. Help, hints and, one day, a palette and a file of other keys are made from these.
type command struct {
	key.Binding
	do   func(*model) tea.Cmd
	hint bool // shown in the footer
}

// keymap has the commands of each pane, and those that work in all of them.
type keymap struct {
	global, query, histogram, matches, turn []command
}

// on makes a command. Where several keys of a family are explained by one of them, the others have no help.
func on(keys []string, label, help string, do func(*model) tea.Cmd) command {
	return command{Binding: key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, help)), do: do}
}

// hinted is on for what the footer shows too.
func hinted(keys []string, label, help string, do func(*model) tea.Cmd) command {
	c := on(keys, label, help, do)
	c.hint = true
	return c
}

type names = []string

func defaultKeys() keymap {
	return keymap{global: globalKeys(), query: queryKeys(), histogram: histogramKeys(), matches: matchKeys(), turn: turnKeys()}
}

func globalKeys() []command {
	return []command{
		hinted(names{"/"}, "/", "query", focusOn(paneQuery)),
		hinted(names{"tab"}, "tab", "next pane", nextPane(1)),
		on(names{"shift+tab"}, "shift+tab", "previous pane", nextPane(-1)),
		on(names{"1"}, "1 2 3", "histogram, matches, turn", focusOn(paneHistogram)),
		on(names{"2"}, "", "", focusOn(paneMatches)),
		on(names{"3"}, "", "", focusOn(paneTurn)),
		hinted(names{"u", "backspace"}, "u U", "back, forward", (*model).goBack),
		on(names{"U"}, "", "", (*model).goForward),
		on(names{"z"}, "z", "maximise the pane", (*model).maximise),
		on(names{"T"}, "T", "next theme", (*model).nextTheme),
		on(names{"ctrl+l"}, "ctrl+l", "draw and ask anew", (*model).redraw),
		on(names{"ctrl+z"}, "ctrl+z", "suspend", (*model).suspend),
		on(names{"ctrl+c"}, "ctrl+c", "cancel, else quit", (*model).interrupt),
		on(names{"q"}, "q", "close help, else quit", (*model).quit),
		hinted(names{"?"}, "?", "help", (*model).toggleHelp),
	}
}

func queryKeys() []command {
	return []command{
		hinted(names{"enter"}, "enter", "search, to the histogram", focusOn(paneHistogram)),
		hinted(names{"down"}, "down", "to the matches", focusOn(paneMatches)),
		on(names{"tab"}, "", "", focusOn(paneHistogram)),
		on(names{"shift+tab"}, "", "", focusOn(paneTurn)),
		hinted(names{"esc", "ctrl+g"}, "esc", "leave", focusOn(paneHistogram)),
		hinted(names{"ctrl+u"}, "ctrl+u", "clear", edit((*bar).Clear)),
		on(names{"ctrl+w", "alt+backspace"}, "ctrl+w", "delete a word", edit((*bar).DeleteWord)),
		on(names{"ctrl+k"}, "ctrl+k", "delete to the end", edit((*bar).ClearRight)),
		on(names{"backspace", "ctrl+h"}, "", "", edit((*bar).Backspace)),
		on(names{"delete", "ctrl+d"}, "", "", edit((*bar).Delete)),
		on(names{"left", "ctrl+b"}, "", "", edit((*bar).Left)),
		on(names{"right", "ctrl+f"}, "", "", edit((*bar).Right)),
		on(names{"alt+b", "ctrl+left", "alt+left"}, "alt+b alt+f", "by words", edit((*bar).WordLeft)),
		on(names{"alt+f", "ctrl+right", "alt+right"}, "", "", edit((*bar).WordRight)),
		on(names{"home", "ctrl+a"}, "home end", "to the ends", edit((*bar).Home)),
		on(names{"end", "ctrl+e"}, "", "", edit((*bar).End)),
		on(names{"ctrl+c"}, "", "", (*model).interrupt),
		on(names{"ctrl+z"}, "", "", (*model).suspend),
		on(names{"ctrl+l"}, "", "", (*model).redraw),
	}
}

func histogramKeys() []command {
	return []command{
		hinted(names{"h", "left"}, "h l", "bin", moveBins(-1)),
		on(names{"l", "right"}, "", "", moveBins(1)),
		on(names{"w"}, "w b", "next, previous filled bin", jumpBins(nextFilled, 1)),
		on(names{"b"}, "", "", jumpBins(nextFilled, -1)),
		on(names{"n"}, "n N", "next, previous peak", jumpBins(nextPeak, 1)),
		on(names{"N"}, "", "", jumpBins(nextPeak, -1)),
		on(names{"g", "home"}, "g G", "first, last bin", toBin(func(int) int { return 0 })),
		on(names{"G", "end"}, "", "", toBin(func(n int) int { return n - 1 })),
		hinted(names{"v"}, "v", "brush", (*model).brush),
		on(names{"shift+left"}, "", "", brushBins(-1)),
		on(names{"shift+right"}, "", "", brushBins(1)),
		on(names{"esc"}, "esc", "drop the brush", (*model).dropBrush),
		hinted(names{"enter"}, "enter", "zoom", zoomBy(zoom.enter)),
		on(names{"i", "+"}, "i o", "zoom in, out at cursor", stepBy(zoomIn)),
		on(names{"o", "-"}, "", "", stepBy(zoomOut)),
		on(names{"H"}, "H L", "half a window back, on", stepBy(panBack)),
		on(names{"L"}, "", "", stepBy(panOn)),
		hinted(names{"0"}, "0", "all", (*model).resetZoom),
		hinted(names{"["}, "[ ]", "bin size", zoomBy(zoom.finer)),
		on(names{"]"}, "", "", zoomBy(zoom.coarser)),
		on(names{"a"}, "a", "finest bins that fit", zoomBy(autoBins)),
		on(names{"%"}, "%", "counts, or shares", (*model).toggleShare),
		on(names{"j", "down"}, "j", "to the matches", focusOn(paneMatches)),
	}
}

func matchKeys() []command {
	return []command{
		hinted(names{"j", "down"}, "j k", "match", moveRows(1)),
		on(names{"k", "up"}, "", "", moveRows(-1)),
		on(names{"ctrl+d", "pgdown"}, "ctrl+d ctrl+u", "half a page", movePages(1)),
		on(names{"ctrl+u", "pgup"}, "", "", movePages(-1)),
		on(names{"g", "home"}, "g G", "first, last", moveRows(-1<<30)),
		on(names{"G", "end"}, "", "", moveRows(1<<30)),
		hinted(names{"enter", "l", "right"}, "enter", "read the turn", (*model).readMatch),
		on(names{"h", "left"}, "", "", focusOn(paneHistogram)),
	}
}

func turnKeys() []command {
	return []command{
		hinted(names{"j", "down"}, "j k", "scroll", scroll(1)),
		on(names{"k", "up"}, "", "", scroll(-1)),
		hinted(names{"space", "pgdown", "ctrl+d"}, "space b", "page", scrollPages(1)),
		on(names{"b", "pgup", "ctrl+u"}, "", "", scrollPages(-1)),
		on(names{"g", "home"}, "g G", "beginning, end", (*model).toTop),
		on(names{"G", "end"}, "", "", (*model).toEnd),
		hinted(names{"n"}, "n N", "hit", nextHit(1)),
		on(names{"N"}, "", "", nextHit(-1)),
		hinted(names{"J"}, "J K", "turn of the conversation", neighbour(true)),
		on(names{"K"}, "", "", neighbour(false)),
		hinted(names{"m"}, "m", "raw", (*model).toggleRaw),
		on(names{"h", "left", "esc"}, "h", "to the matches", focusOn(paneMatches)),
	}
}

// of returns the commands that a pane has besides the global ones.
func (k keymap) of(p pane) []command {
	switch p {
	case paneQuery:
		return k.query
	case paneHistogram:
		return k.histogram
	case paneMatches:
		return k.matches
	}
	return k.turn
}

// find returns the command that a pressed key stands for in a pane. What is typed into the query is text, whatever else it may mean.
func (k keymap) find(p pane, pressed tea.KeyPressMsg) (command, bool) {
	sets := [][]command{k.of(p)}
	if p != paneQuery {
		sets = append(sets, k.global)
	}
	for _, set := range sets {
		for _, c := range set {
			if key.Matches(pressed, c.Binding) {
				return c, true
			}
		}
	}
	return command{}, false
}
