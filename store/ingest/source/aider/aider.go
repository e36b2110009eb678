// Package aider parses the history that Aider writes into the folder it works in. It does no I/O of its own.
//
// The history is Markdown: a heading for each session with its time, the person's lines as headings, what the program
// says as quotations, and answers as they are. Nothing has an id. Only sessions have times, in a zone that is not
// said: they are taken for UTC, as all times without a zone are, so that a history gives the same archive everywhere.
package aider

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of .aider.chat.history.md.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Aider, Name: "Aider", Matches: matches, Read: source.Reads(Conversations),
	Mark: "# aider chat started at ",
	Get:  "the folder of a project; .aider.chat.history.md in it",
}

// header is the first line of a session.
const header = `# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})[ \t]*\r?$`

var (
	started = lazyregexp.New(`(?m)^` + header)
	begins  = lazyregexp.New(`(?m)\A\s*` + header) // a note that quotes a history has words before it
)

func matches(s *source.Sample) bool { return len(s.Values) == 0 && begins().Match(s.Head) }

// maxHistory bounds a file, in bytes.
const maxHistory = 256 << 20

// Conversations yields the sessions of a history, in order. For one without words of the person it yields a *chat.Skip
// and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		text, err := io.ReadAll(io.LimitReader(r, maxHistory+1))
		var known *errs.Error
		switch {
		case errors.As(err, &known):
			yield(nil, err)
			return
		case err != nil:
			yield(nil, &errs.Error{
				Code: errs.Unavailable, Op: "aider: read", Message: "reading failed", Err: err,
				Hint: "check that the disk is connected and that you can read the file, then import it again",
			})
			return
		case len(text) > maxHistory:
			yield(nil, &errs.Error{
				Code: errs.TooLarge, Op: "aider: read", Message: "the history is larger than 256 MiB",
				Hint: "split it before a line that begins with # aider chat started",
			})
			return
		}
		seen := map[string]int{}
		for body, at := range sessions(text) {
			if p, skip := parse(body, at, seen); skip != nil && !yield(nil, skip) || p != nil && !yield(p, nil) {
				return
			}
		}
	}
}

// sessions yields the text of each session and its time.
func sessions(text []byte) iter.Seq2[[]byte, time.Time] {
	return func(yield func([]byte, time.Time) bool) {
		found := started().FindAllSubmatchIndex(text, -1)
		for i, at := range found {
			end := len(text)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			if !yield(text[at[1]:end], chat.Time(string(text[at[2]:at[3]]))) {
				return
			}
		}
	}
}

// parse parses a session. Its id is made of its time and first words; seen counts those that are equal in both.
func parse(body []byte, at time.Time, seen map[string]int) (*chat.Parsed, *chat.Skip) {
	s := &session{Session: source.Session{Draft: chat.Draft{Source: store.Aider, Created: at, Updated: at}}}
	s.read(body)
	if s.opening == "" {
		return nil, &chat.Skip{Reason: "no messages", Nodes: len(s.Nodes)}
	}
	id := chat.ContentID(at.Format(time.RFC3339), s.opening)
	if seen[id]++; seen[id] > 1 {
		id = fmt.Sprintf("%s %d", id, seen[id])
	}
	s.ID = "aider " + id
	return chat.Build(&s.Draft), nil
}

// session collects the messages of a session, which begin and end with its lines.
type session struct {
	source.Session
	opening string   // the first words of the person or of an answer
	lines   []string // of the open message
	role    store.Role
	fence   string // that opened a block of code in the answer; empty: none is open
}

const (
	prompt = "#### "
	output = "> "
	mark   = "  " // ends the lines of the person and of the program, and few of an answer
)

func (s *session) read(body []byte) {
	// An editor may have taken the marks away. Then every line that begins as theirs is one.
	marked := bytes.Contains(body, []byte(mark+"\n")) || bytes.Contains(body, []byte(mark+"\r\n"))
	lines := strings.Split(strings.ReplaceAll(string(body), "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		isMarked := !marked || strings.HasSuffix(line, mark)
		switch {
		case strings.HasPrefix(line, prompt) && isMarked && (marked || s.fence == ""):
			s.add(store.User, strings.TrimPrefix(line, prompt))
		case s.fence == "" && strings.HasPrefix(line, output) && isOutput(lines[i:], marked):
			for ; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
				if strings.HasPrefix(lines[i], prompt) {
					break
				}
				s.add(store.Tool, strings.TrimPrefix(lines[i], output))
			}
			i--
		case strings.TrimSpace(line) == "" && s.role != store.Assistant:
			s.close()
		default:
			s.add(store.Assistant, line)
		}
	}
	s.close()
}

// isOutput reports whether the paragraph that lines begin with is what the program said, and not a quotation in an
// answer: then it ends with a mark.
func isOutput(lines []string, marked bool) bool {
	last := lines[0]
	for _, line := range lines[1:] {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, prompt) {
			break
		}
		last = line
	}
	return !marked || strings.HasSuffix(last, mark)
}

// add adds a line to the open message of a role, or opens one.
func (s *session) add(role store.Role, line string) {
	if s.role != role {
		s.close()
		s.role = role
	}
	if role == store.Assistant {
		s.follow(line)
	}
	if role != store.Assistant {
		line = strings.TrimRight(line, " ")
	}
	s.lines = append(s.lines, line)
}

// follow notes where blocks of code begin and end: what looks like a quotation in one is code.
func (s *session) follow(line string) {
	for _, fence := range []string{"```", "~~~"} {
		switch rest, found := strings.CutPrefix(line, fence); {
		case !found:
		case s.fence == "":
			s.fence = fence
		case s.fence == fence && strings.Trim(rest, "`~ ") == "":
			s.fence = ""
		}
	}
}

// close ends the open message. Those without words are none: <blank> is what the program writes for an empty line.
func (s *session) close() {
	text := strings.Trim(strings.Join(s.lines, "\n"), "\n")
	raw := []byte("{}") // there is no JSON
	switch blank := strings.TrimSpace(text); {
	case blank == "" || s.role == store.User && blank == "<blank>":
	case s.role == store.Tool:
		s.Add("", s.Count.Aside(store.Tool, "output", text, raw))
	default:
		s.Add("", s.Count.Speech(s.role, text, raw))
		s.opening = cmp.Or(s.opening, text)
	}
	s.lines, s.role, s.fence = nil, "", ""
}
