package tui

// The keys of the chat: chatKeys for the answers, askKeys for the question.

func chatKeys() []command {
	return []command{
		hinted("chat", "c i enter", "ask a question", (*model).openChat),
		hinted("stop", "esc", "stop, close", (*model).leaveChat),
		hinted("fold-steps", "d", "fold steps", (*model).foldSteps),
		hinted("retry", "r", "ask again", (*model).retry),
		hinted("sessions", "s", "saved chats", (*model).openSessions),
		on("new-session", "n", "new chat", (*model).newSession),
		on("pin-answer", "p", "pin answer", (*model).pinAnswer),
		on("scroll-down", "j down", "scroll", scrollTalk(1)),
		on("scroll-up", "k up", "scroll", scrollTalk(-1)),
		on("page-down", "space pgdown ctrl+d", "page", scrollTalkPages(1)),
		on("page-up", "b pgup ctrl+u", "page", scrollTalkPages(-1)),
		on("beginning", "g home", "start/end", (*model).toTalkTop),
		on("end", "G end", "start/end", (*model).toTalkEnd),
	}
}

// askKeys has the editing keys of the query, too.
func askKeys() []command {
	keys := []command{
		hinted("send", "enter", "ask, or open citation", (*model).send),
		asking("new-line", "ctrl+j alt+enter shift+enter", "new line", breakLine),
		hinted("stop", "esc ctrl+g", "stop, leave", (*model).leaveAsk),
		hinted("line-up", "up", "edit last question", (*model).riseInput),
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
