package claudecode

import (
	"strings"

	"lens/store/ingest/source"
)

// injected are the beginnings of texts in records of the person that the program wrote.
var injected = []source.Envelope{
	{Start: "This session is being continued from"},
	{Start: "<local-command-caveat>"},
	{Start: "Caveat: The messages below were generated"},
	{Start: "<local-command-stdout>"},
	{Start: "<local-command-stderr>"},
	{Start: "<bash-stdout>"},
	{Start: "<bash-stderr>"},
	{Start: "[Request interrupted"},
	{Start: "<task-notification>"},
	{Start: "Stop hook feedback:"},
	{Start: "Base directory for this skill:"},
	{Start: "<system-reminder>", End: "</system-reminder>"},
	{Start: "<ide_opened_file>", End: "</ide_opened_file>"},
	{Start: "<ide_selection>", End: "</ide_selection>"},
}

// command is a slash command or a shell command that the person typed.
type command struct {
	text      string // as typed
	arguments bool   // it has some, so it is a question by itself
}

// parseCommand reads a command from the words of a record.
func parseCommand(text string) (c command, ok bool) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<bash-input>") {
		return command{text: "!" + element(text, "bash-input")}, true
	}
	if !strings.HasPrefix(text, "<command-name>") && !strings.HasPrefix(text, "<command-message>") {
		return command{}, false
	}
	name, arguments := element(text, "command-name"), element(text, "command-args")
	if name == "" {
		return command{}, false
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return command{strings.TrimSpace(name + " " + arguments), arguments != ""}, true
}

// element returns the text of the first element with a name.
func element(text, name string) string {
	_, after, found := strings.Cut(text, "<"+name+">")
	if !found {
		return ""
	}
	inner, _, _ := strings.Cut(after, "</"+name+">")
	return strings.TrimSpace(inner)
}
