package tui

// The keys of the chat: of what was answered, and of the question that is typed.

func chatKeys() []command {
	return []command{
		hinted("chat", "c i enter", "write a question", (*model).openChat),
		hinted("stop", "esc", "stop, close", (*model).leaveChat),
		hinted("fold-steps", "d", "fold the steps", (*model).foldSteps),
		hinted("retry", "r", "ask again", (*model).retry),
		hinted("sessions", "s", "conversations", (*model).openSessions),
		on("new-session", "n", "new conversation", (*model).newSession),
		on("pin-answer", "p", "pin the answer", (*model).pinAnswer),
		on("scroll-down", "j down", "scroll", scrollTalk(1)),
		on("scroll-up", "k up", "scroll", scrollTalk(-1)),
		on("page-down", "space pgdown ctrl+d", "page", scrollTalkPages(1)),
		on("page-up", "b pgup ctrl+u", "page", scrollTalkPages(-1)),
		on("beginning", "g home", "beginning, end", (*model).toTalkTop),
		on("end", "G end", "beginning, end", (*model).toTalkEnd),
	}
}

// askKeys edit like the query's do.
func askKeys() []command {
	keys := []command{
		hinted("send", "enter", "ask, or go to source n", (*model).send),
		asking("new-line", "ctrl+j alt+enter shift+enter", "new line", breakLine),
		hinted("stop", "esc ctrl+g", "stop, leave", (*model).leaveAsk),
		hinted("line-up", "up", "edit the last question", (*model).riseInput),
		on("line-down", "down", "", (*model).sinkInput),
		on("page-down", "pgdown", "", scrollTalkPages(1)),
		on("page-up", "pgup", "", scrollTalkPages(-1)),
		on("next-pane", "tab", "", focusOn(paneHistogram)),
		on("previous-pane", "shift+tab", "", focusOn(paneTurn)),
	}
	for _, c := range queryKeys() {
		switch {
		case c.edit != nil:
			keys = append(keys, asking(c.name, "", c.group, c.edit))
			keys[len(keys)-1].keys = c.keys
		case c.name == "interrupt", c.name == "suspend", c.name == "redraw", c.name == "commands":
			keys = append(keys, c)
		}
	}
	return keys
}
