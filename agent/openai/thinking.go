package openai

import "strings"

// tags enclose thinking that a server leaves in the text: DeepSeek, Qwen and most others, their imitators,
// Seed, Mistral, Kimi.
var tags = []struct{ open, close string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
}

// thinkingFilter removes thinking from a message as it streams. Its rules are:
//
//   - A tag opens a thought at the beginning of a message, or after another thought. Later it is text,
//     because an answer may be about tags.
//   - An unclosed thought extends to the end.
//   - Some prompts already contain the opening tag, so only the closing one appears. A closing tag at the end
//     of a line therefore means that everything before it was a thought, unless there was one already or the
//     tag is in a code block.
//
// The output does not depend on how the text is split into deltas, and lags behind by at most one tag.
type thinkingFilter struct {
	undecided  string // text whose meaning depends on what follows
	closeTag   string // ends the open thought; empty: none is open
	hadThought bool
	started    bool // text has been emitted
	midLine    bool // in the current line
	inFence    bool // in a code block
}

// write takes the next part of the message and returns its text. discard reports that everything returned
// before was thinking.
func (t *thinkingFilter) write(delta string) (said string, discard bool) {
	t.undecided += delta
	return t.process(false)
}

// isOpen reports whether the message is in a thought that a tag began.
func (t *thinkingFilter) isOpen() bool { return t.closeTag != "" }

// close returns the rest.
func (t *thinkingFilter) close() (said string, discard bool) { return t.process(true) }

func (t *thinkingFilter) process(final bool) (said string, discard bool) {
	var out strings.Builder
	for t.undecided != "" {
		switch {
		case t.closeTag != "":
			if !t.skipThought() {
				return out.String(), discard
			}
		case !t.started:
			if !t.begin(final) {
				return out.String(), discard
			}
		default:
			n, thought := t.scan(t.undecided, final)
			if thought {
				t.hadThought, t.started, discard = true, false, true
				out.Reset()
			} else {
				out.WriteString(t.undecided[:n])
			}
			if t.undecided = t.undecided[n:]; n == 0 {
				return out.String(), discard
			}
		}
	}
	return out.String(), discard
}

// skipThought drops the open thought. It returns false if its end has not arrived.
func (t *thinkingFilter) skipThought() bool {
	at := strings.Index(t.undecided, t.closeTag)
	if at < 0 {
		t.undecided = t.undecided[max(0, len(t.undecided)-len(t.closeTag)+1):]
		return false
	}
	t.undecided, t.closeTag = t.undecided[at+len(t.closeTag):], ""
	return true
}

// begin decides whether a thought comes first. It returns false if that is not clear yet.
func (t *thinkingFilter) begin(final bool) bool {
	text := strings.TrimLeft(t.undecided, " \t\r\n")
	for _, tag := range tags {
		switch {
		case strings.HasPrefix(text, tag.open):
			t.undecided, t.closeTag, t.hadThought = text[len(tag.open):], tag.close, true
			return true
		case !final && strings.HasPrefix(tag.open, text):
			return false
		}
	}
	if t.hadThought {
		t.undecided = text // without the space after a thought
	}
	t.started = t.undecided != ""
	return t.started
}

// scan returns how much of s is text or, where s begins with the end of a thought, the length of that tag; 0
// when more text is needed.
func (t *thinkingFilter) scan(s string, final bool) (n int, thought bool) {
	if t.hadThought {
		return len(s), false
	}
	switch {
	case !t.midLine && strings.HasPrefix(s, fence):
		t.inFence, t.midLine = !t.inFence, true
		return len(fence), false
	case !t.midLine && !final && strings.HasPrefix(fence, s):
		return 0, false
	}
	for _, tag := range tags {
		after, whole := strings.CutPrefix(s, tag.close)
		switch {
		case t.inFence:
		case whole && (strings.HasPrefix(after, "\n") || strings.HasPrefix(after, "\r")):
			return len(tag.close), true
		case !final && (whole && after == "" || strings.HasPrefix(tag.close, s)):
			return 0, false
		}
	}
	t.midLine = s[0] != '\n' && (t.midLine || s[0] != ' ')
	return 1, false
}

const fence = "```"
