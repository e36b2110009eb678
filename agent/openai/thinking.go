package openai

import "strings"

// tags are those between which models think aloud, where their server leaves it in the text: DeepSeek, Qwen and most others, those that
// imitate them, Seed, Mistral, Kimi.
var tags = []struct{ open, close string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
}

// thoughts takes what a model thinks aloud out of a message, as that streams. Its rules are:
//
//   - A tag opens a thought at the beginning of a message, or after another thought. Later it is text: an answer may be about tags.
//   - A thought that is not closed goes on to the end.
//   - Some prompts open the thought in the model's place, so that nothing but its end is seen. A closing tag at the end of a line therefore
//     means that all before it was thought, unless there was a thought already, or it stands in a block of code.
//
// What passes does not depend on how the text was cut into deltas, and lags behind by a tag at most.
type thinkingFilter struct {
	held       string // not decided yet
	closeTag   string // of the thought that this is in; "": none
	hadThought bool   // there was one
	started    bool   // something was said
	midLine    bool   // in the line that this is in
	inFence    bool   // this is in a block of code
}

// write takes more of the message and returns what is said in it. aside tells that all that was returned before was thought.
func (t *thinkingFilter) write(delta string) (said string, discard bool) {
	t.held += delta
	return t.process(false)
}

// close returns the rest.
func (t *thinkingFilter) close() (said string, discard bool) { return t.process(true) }

func (t *thinkingFilter) process(final bool) (said string, discard bool) {
	var out strings.Builder
	for t.held != "" {
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
			n, thought := t.scan(t.held, final)
			if thought {
				t.hadThought, t.started, discard = true, false, true
				out.Reset()
			} else {
				out.WriteString(t.held[:n])
			}
			if t.held = t.held[n:]; n == 0 {
				return out.String(), discard
			}
		}
	}
	return out.String(), discard
}

// think drops what is thought. It says false when the end has not come.
func (t *thinkingFilter) skipThought() bool {
	at := strings.Index(t.held, t.closeTag)
	if at < 0 {
		t.held = t.held[max(0, len(t.held)-len(t.closeTag)+1):]
		return false
	}
	t.held, t.closeTag = t.held[at+len(t.closeTag):], ""
	return true
}

// begin decides whether a thought comes first. It says false when that is not clear yet.
func (t *thinkingFilter) begin(final bool) bool {
	text := strings.TrimLeft(t.held, " \t\r\n")
	for _, tag := range tags {
		switch {
		case strings.HasPrefix(text, tag.open):
			t.held, t.closeTag, t.hadThought = text[len(tag.open):], tag.close, true
			return true
		case !final && strings.HasPrefix(tag.open, text):
			return false
		}
	}
	if t.hadThought {
		t.held = text // the space after a thought is not said
	}
	t.started = t.held != ""
	return t.started
}

// say returns how much of s is said or, where it begins with the end of a thought, is that end; 0 when it cannot be decided yet.
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
