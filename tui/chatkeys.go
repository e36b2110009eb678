package tui

// The keys of the chat: chatKeys for the answers, askKeys for the question.

func (b binder) chatKeys() []command {
	return []command{
		b.hinted("chat", "c i enter", "ask a question", (*model).openChat),
		b.hinted("stop", "esc", "stop, close", (*model).leaveChat),
		b.hinted("fold-steps", "d", "fold steps", (*model).foldSteps),
		b.hinted("retry", "r", "ask again", (*model).retry),
		b.hinted("sessions", "s", "saved chats", (*model).openSessions),
		b.on("new-session", "n", "new chat", (*model).newSession),
		b.on("pin-answer", "p", "pin answer", (*model).pinAnswer),
		b.on("scroll-down", "j down", "scroll", scrollTalk(1)),
		b.on("scroll-up", "k up", "scroll", scrollTalk(-1)),
		b.on("page-down", "space pgdown ctrl+d", "page", scrollTalkPages(1)),
		b.on("page-up", "b pgup ctrl+u", "page", scrollTalkPages(-1)),
		b.on("beginning", "g home", "start/end", (*model).toTalkTop),
		b.on("end", "G end", "start/end", (*model).toTalkEnd),
	}
}

// askKeys has the editing keys of the query, too.
func (b binder) askKeys() []command {
	keys := []command{
		b.hinted("send", "enter", "ask, or open citation", (*model).send),
		b.asking("new-line", "ctrl+j alt+enter shift+enter", "new line", breakLine),
		b.hinted("stop", "esc ctrl+g", "stop, leave", (*model).leaveAsk),
		b.hinted("line-up", "up", "edit last question", (*model).riseInput),
		b.on("line-down", "down", "", (*model).sinkInput),
		b.on("page-down", "pgdown", "", scrollTalkPages(1)),
		b.on("page-up", "pgup", "", scrollTalkPages(-1)),
		b.on("next-pane", "tab", "", focusOn(paneHistogram)),
		b.on("previous-pane", "shift+tab", "", focusOn(paneTurn)),
	}
	for _, c := range b.queryKeys() {
		switch {
		case c.edit != nil:
			keys = append(keys, b.asking(c.ID, "", c.Group, c.edit))
			keys[len(keys)-1].Key = c.Key
		case c.ID == "interrupt", c.ID == "suspend", c.ID == "redraw", c.ID == "commands":
			keys = append(keys, c)
		}
	}
	return keys
}
