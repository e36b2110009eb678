package tui

// The default keys. To add a command, add a line here and put its action in the file of its subject.

func defaultKeys() keymap {
	return keymap{
		global:    globalKeys(),
		query:     queryKeys(),
		histogram: histogramKeys(),
		matches:   matchKeys(),
		turn:      turnKeys(),
		info:      infoKeys(),
		chat:      chatKeys(),
		ask:       askKeys(),
	}
}

func globalKeys() []command {
	return []command{
		hinted("query", "/", "query", focusOn(paneQuery)),
		hinted("next-pane", "tab", nextPaneWords, nextPane(1)),
		on("previous-pane", "shift+tab", "previous pane", nextPane(-1)),
		on("histogram", "1", "go to pane", focusOn(paneHistogram)),
		on("matches", "2", "go to pane", focusOn(paneMatches)),
		on("turn", "3", "go to pane", focusOn(paneTurn)),
		on("info", "5", "go to pane", focusOn(paneInfo)),
		hinted("chat", "c 4", "chat", (*model).openChat),
		hinted("back", "u backspace", "back/forward", (*model).goBack),
		hinted("forward", "U", "back/forward", (*model).goForward),
		on("titles", "A", "conversations by title", (*model).openTitles),
		on("drop-filter", "X", "drop the last filter", (*model).dropLastChip),
		on("bookmark", "b", "bookmark this place", (*model).bookmark),
		on("bookmarks", "B", "bookmarks", (*model).openBookmarks),
		on("take-suggestion", "ctrl+n", "", (*model).takeMeant),
		on("jobs", ".", "jobs: import, cancel", (*model).openJobs),
		on("landmarks", "I", "landmarks", (*model).openLandmarks),
		offered((*model).searchesOffline, on("search-offline", "O", "search offline", (*model).openProof)),
		on("copy", "y Y", "copy", (*model).openCopy),
		on("editor", "e", "open in editor/pager", (*model).openEditor),
		on("pager", "|", "open in editor/pager", (*model).openPager),
		on("write", "w", "save to a file", (*model).askExport),
		on("narrower", "<", "resize panes", resizeBy(-1, 0)),
		on("wider", ">", "resize panes", resizeBy(1, 0)),
		on("lower", "-", "resize panes", resizeBy(0, -1)),
		on("higher", "+", "resize panes", resizeBy(0, 1)),
		on("maximise", "z", "maximize pane", (*model).maximizePane), //nolint:misspell // a command id
		on("next-theme", "T,T", "next theme", (*model).nextTheme),
		on("local-time", "T,z", "local time/UTC", (*model).toggleLocal),
		on("toggle-mouse", "M", "mouse on/off", (*model).toggleMouse),
		on("errors", "E", "errors", (*model).openErrors),
		on("redraw", "ctrl+l", "redraw and reload", (*model).redraw),
		on("suspend", "ctrl+z", "suspend", (*model).suspend),
		offered((*model).hasVault, on("lock", "", "", (*model).lock)),
		on("interrupt", "ctrl+c", "cancel, or quit", (*model).interrupt),
		hinted("commands", ": ctrl+p", "commands", (*model).openPalette),
		on("quit", "q", "close, or quit", (*model).quit),
		hinted("help", "?", "help", (*model).openHelp),
	}
}

func queryKeys() []command {
	return []command{
		hinted("search", "enter", "search", focusOn(paneHistogram)),
		hinted("to-matches", "down", "go to matches", focusOn(paneMatches)),
		on("next-pane", "tab", "", completeOr(1, focusOn(paneHistogram))),
		on("previous-pane", "shift+tab", "", completeOr(-1, focusOn(paneTurn))),
		hinted("leave-query", "esc ctrl+g", "leave", focusOn(paneHistogram)),
		editing("clear", "ctrl+u", "clear", (*bar).Clear),
		editing("delete-word", "ctrl+w alt+backspace", "delete word", (*bar).DeleteWord),
		editing("delete-to-end", "ctrl+k", "delete to end", (*bar).ClearRight),
		deletingBack("delete-back", "backspace ctrl+h"),
		editing("delete", "delete ctrl+d", "", (*bar).Delete),
		editing("left", "left ctrl+b", "", (*bar).Left),
		editing("right", "right ctrl+f", "", (*bar).Right),
		editing("word-left", "alt+b ctrl+left alt+left", "word left/right", (*bar).WordLeft),
		editing("word-right", "alt+f ctrl+right alt+right", "word left/right", (*bar).WordRight),
		editing("to-start", "home ctrl+a", "line start/end", (*bar).Home),
		editing("to-end", "end ctrl+e", "line start/end", (*bar).End),
		on("take-suggestion", "ctrl+n", "accept suggestion", (*model).takeMeant),
		on("interrupt", "ctrl+c", "", (*model).interrupt),
		on("suspend", "ctrl+z", "", (*model).suspend),
		on("redraw", "ctrl+l", "", (*model).redraw),
		on("commands", "ctrl+p", "", (*model).openPalette),
	}
}

func histogramKeys() []command {
	return []command{
		hinted("previous-bin", "h left", "bin", moveBins(-1)),
		hinted("next-bin", "l right", "bin", moveBins(1)),
		on("next-filled-bin", "w", "next/previous filled bin", jumpBins(nextFilled, 1)),
		on("previous-filled-bin", "b", "next/previous filled bin", jumpBins(nextFilled, -1)),
		on("next-peak", "n", "next/previous peak", nextStanding(1)),
		on("previous-peak", "N", "next/previous peak", nextStanding(-1)),
		on("first-bin", "g home", "first/last bin", toBin(func(int) int { return 0 })),
		on("last-bin", "G end", "first/last bin", toBin(func(n int) int { return n - 1 })),
		hinted("brush", "v", "brush", (*model).brush),
		on("brush-left", "shift+left", "", brushBins(-1)),
		on("brush-right", "shift+right", "", brushBins(1)),
		on("drop-brush", "esc", "clear brush", (*model).dropBrush),
		hinted("zoom", "enter", "zoom", zoomBy(zoom.enter)),
		on("zoom-in", "i", "zoom in/out at cursor", stepBy(zoomIn)),
		on("zoom-out", "o", "zoom in/out at cursor", stepBy(zoomOut)),
		on("pan-back", "H", "pan by half", stepBy(panBack)),
		on("pan-on", "L", "pan by half", stepBy(panOn)),
		hinted("show-all", "0", "show all", (*model).resetZoom),
		hinted("finer-bins", "[", "bin size", zoomBy(zoom.finer)),
		hinted("coarser-bins", "]", "bin size", zoomBy(zoom.coarser)),
		on("auto-bins", "a", "finest bins that fit", zoomBy(autoBins)),
		on("pin", "p", "pin query, change chart", (*model).pinQuery),
		on("next-chart", "C", "pin query, change chart", (*model).nextForm),
		on("type-range", "t", "go to a date", (*model).askRange),
		on("keep-scope", "F", "search window or all time", (*model).toggleScope),
		on("toggle-share", "%", "counts or shares", (*model).toggleShare),
		on("to-matches", "j down", "go to matches", focusOn(paneMatches)),
	}
}

func matchKeys() []command {
	return []command{
		hinted("next-match", "j down", "match", moveRows(1)),
		hinted("previous-match", "k up", "match", moveRows(-1)),
		on("page-down", "ctrl+d pgdown", "half a page", movePages(1)),
		on("page-up", "ctrl+u pgup", "half a page", movePages(-1)),
		on("first-match", "g home", "first/last", moveRows(-1<<30)),
		on("last-match", "G end", "first/last", moveRows(1<<30)),
		hinted("read", "enter l right", "read turn", (*model).readMatch),
		hinted("mark", "space", "mark", (*model).mark),
		on("sort", "s", "change order", (*model).toggleOrder),
		on("filters", "f", "filters", (*model).openFilters),
		hinted("more-like-this", "x", "more like this", (*model).seekAlike),
		on("next-of-conversation", "]", "same conversation", sameConversation(1)),
		on("previous-of-conversation", "[", "same conversation", sameConversation(-1)),
		on("to-histogram", "h left", "", focusOn(paneHistogram)),
	}
}

func turnKeys() []command {
	return []command{
		hinted("scroll-down", "j down", "scroll", scroll(1)),
		hinted("scroll-up", "k up", "scroll", scroll(-1)),
		hinted("page-down", "space pgdown ctrl+d", "page", scrollPages(1)),
		hinted("page-up", "b pgup ctrl+u", "page", scrollPages(-1)),
		on("beginning", "g home", "start/end", (*model).toTop),
		on("end", "G end", "start/end", (*model).toEnd),
		hinted("next-hit", "n", "hit", nextHit(1)),
		hinted("previous-hit", "N", "hit", nextHit(-1)),
		hinted("next-turn", "J", "next/previous turn", neighbor(true)),
		hinted("previous-turn", "K", "next/previous turn", neighbor(false)),
		hinted("toggle-raw", "m", "raw", (*model).toggleRaw),
		on("more-like-this", "x", "more like this", (*model).seekAlike),
		on("next-code", "],c", "next/previous code", nextCode(1)),
		on("previous-code", "[,c", "next/previous code", nextCode(-1)),
		on("copy", "y,y Y", "copy", (*model).openCopy),
		on("copy-code", "y,c", "copy visible code", (*model).copyCode),
		on("links", "o", "links", (*model).openLinks),
		on("to-matches", "h left esc", "go to matches", focusOn(paneMatches)),
	}
}

func infoKeys() []command {
	return []command{
		hinted("scroll-down", "j down", "scroll", scrollInfo(1)),
		hinted("scroll-up", "k up", "scroll", scrollInfo(-1)),
		hinted("page-down", "space pgdown ctrl+d", "page", scrollInfoPages(1)),
		hinted("page-up", "b pgup ctrl+u", "page", scrollInfoPages(-1)),
		on("beginning", "g home", "start/end", scrollInfo(-1<<30)),
		on("end", "G end", "start/end", scrollInfo(1<<30)),
		hinted("to-matches", "h left esc", "go to matches", focusOn(paneMatches)),
		hinted("turn", "l right enter", "go to turn", focusOn(paneTurn)),
	}
}
