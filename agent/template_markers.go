package agent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Markers of chat templates, as a model prints them if its server's template does not fit it: those of ChatML (Qwen,
// Yi, Hermes), Llama 2 and 3, Gemma, Phi, Mistral and gpt-oss, and a thought in the middle of an answer. None begins
// with another.
var (
	openingMarkers = []string{
		"<|im_start|>", "<|start_header_id|>", "<|begin_of_text|>", "<start_of_turn>", "<|user|>", "<|assistant|>",
		"<|system|>", "<|start|>", "[INST]", "<<SYS>>", thinkMarker,
	}
	closingMarkers = []string{
		"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<end_of_turn>", "<|end|>",
		"<|return|>", "[/INST]", "<eos>", strikeEnd,
	}
)

const (
	thinkMarker = "<think>"
	strikeEnd   = "</s>" // ends a message of Llama 2 and Mistral, and in HTML what strikeStart begins
	strikeStart = "<s>"
)

// maxAfterClosing bounds the blanks after a closing marker that may be the last one, in bytes.
const maxAfterClosing = 200

// templateFilter cuts a message where it begins to print the markers of its chat template. Its rules are:
//
//   - An opening marker stands at the beginning of a line, without a space behind it.
//   - A closing marker stands directly behind a word or at the beginning of a line, and ends its line, or only a role
//     follows there. If nothing at all follows, the message is whole, and loses the marker.
//   - The marker before archive text cuts anywhere, but in code: behind it the model copies what it has read.
//   - Anywhere else, and in code, a marker is text, because an answer may be about markers.
//
// The output does not depend on how the text is split into deltas, and lags behind by at most two markers or a code
// span. The zero value is ready.
type templateFilter struct {
	fence     string // the marker before archive text, which no text has by chance; "" for none
	undecided string // text whose meaning depends on what follows
	closing   string // a marker that may end the message, and the blanks after it
	code      codeTracker
	last      rune // that was returned; 0 at the beginning
	inLine    bool // the current line has more than blanks
	striking  bool // strikeStart has come
	cut       bool
}

// write takes the next part of the message and returns its text, and whether the message is cut behind that.
func (f *templateFilter) write(delta string) (text string, cut bool) {
	f.undecided += delta
	return f.process(false)
}

// close returns the rest of the text, and whether the message is cut behind that.
func (f *templateFilter) close() (text string, cut bool) { return f.process(true) }

func (f *templateFilter) process(final bool) (text string, cut bool) {
	var out strings.Builder
	for f.undecided != "" && !f.cut {
		used := f.step(&out, f.undecided, final)
		if used == 0 {
			break
		}
		f.undecided = f.undecided[used:]
	}
	return out.String(), f.cut
}

// step decides on what s begins with and returns its length, or 0 when more text is needed.
func (f *templateFilter) step(out *strings.Builder, s string, final bool) int {
	if !final && !utf8.FullRuneInString(s) {
		return 0
	}
	if f.closing != "" {
		if used, decided := f.afterClosing(out, s, final); !decided || used > 0 {
			return used
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	f.code.before(r)
	switch {
	case r == '`':
		return f.backticks(out, s, final)
	case r == '\\' && len(s) == size && !final:
		return 0
	case r == '\\' && strings.HasPrefix(s[size:], "`"):
		f.emit(out, s[:size+1])
		return size + 1
	case (r == '<' || r == '[') && !f.code.inCode():
		switch {
		case f.fence == "":
		case strings.HasPrefix(s, f.fence):
			f.cut = true
			return len(f.fence)
		case !final && strings.HasPrefix(f.fence, s):
			return 0
		}
		marker, decided := f.markerAt(s, final)
		switch {
		case !decided:
			return 0
		case slices.Contains(openingMarkers, marker):
			f.cut = true
			return len(marker)
		case marker != "":
			f.closing = marker
			return len(marker)
		}
		f.striking = f.striking || strings.HasPrefix(s, strikeStart)
	}
	f.emit(out, s[:size])
	return size
}

// markerAt returns the marker that s begins with, "" where that is text.
func (f *templateFilter) markerAt(s string, final bool) (marker string, decided bool) {
	for _, m := range slices.Concat(openingMarkers, closingMarkers, []string{strikeStart}) {
		switch {
		case strings.HasPrefix(s, m):
			marker = m
		case !final && strings.HasPrefix(m, s):
			return "", false
		}
	}
	after := s[len(marker):]
	switch {
	case slices.Contains(closingMarkers, marker):
		if marker == strikeEnd && f.striking || f.inLine && strings.ContainsRune(" \t\"'“”‘’«»(\\", f.last) {
			return "", true
		}
		return marker, true
	case !slices.Contains(openingMarkers, marker) || f.inLine:
		return "", true
	case after == "" && !final:
		return "", false
	case marker == thinkMarker && !strings.HasPrefix(after, "\n"), marker[0] == '<' && strings.HasPrefix(after, " "):
		return "", true
	}
	return marker, true
}

// afterClosing decides what a closing marker means by what follows. With used 0, s is decided if the marker was text.
func (f *templateFilter) afterClosing(out *strings.Builder, s string, final bool) (used int, decided bool) {
	if strings.ContainsRune(" \t\r\n", rune(s[0])) {
		f.closing += s[:1]
		f.cut = len(f.closing) > maxAfterClosing
		return 1, true
	}
	marker := ""
	for _, m := range slices.Concat(openingMarkers, closingMarkers) {
		switch {
		case strings.HasPrefix(s, m):
			marker = m
		case !final && strings.HasPrefix(m, s):
			return 0, false
		}
	}
	alone, decided := isRole(s, final)
	switch {
	case !decided:
		return 0, false
	case marker != "" || alone || strings.Contains(f.closing, "\n"):
		f.cut = true
		return len(s), true
	}
	f.emit(out, f.closing)
	f.closing = ""
	return 0, true
}

// isRole reports whether s begins with a line that is the role of a message.
func isRole(s string, final bool) (is, decided bool) {
	for _, role := range []string{"user", "assistant", "system", "model", "tool"} {
		switch line := role + "\n"; {
		case strings.HasPrefix(s, line), final && s == role:
			return true, true
		case !final && strings.HasPrefix(line, s):
			return false, false
		}
	}
	return false, true
}

// backticks handles a run of backticks, which may begin or end code.
func (f *templateFilter) backticks(out *strings.Builder, s string, final bool) int {
	column := f.code.column
	run, effect := f.code.decide(s, final)
	if effect == undecided {
		return 0
	}
	f.emit(out, s[:run])
	f.code.apply(run, column, effect)
	return run
}

// emit returns text.
func (f *templateFilter) emit(out *strings.Builder, text string) {
	for _, r := range text {
		f.code.advance(r)
		f.inLine = r != '\n' && (f.inLine || r != ' ' && r != '\t')
		f.last = r
	}
	out.WriteString(text)
}
