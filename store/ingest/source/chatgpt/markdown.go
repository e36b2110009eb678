package chatgpt

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"strings"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Markdown is a single chat as the browser extension ChatGPT Exporter saves it: a heading for each message.
var Markdown = source.Format{
	Source: store.ChatGPT, Name: "ChatGPT", Matches: matchesMarkdown, Read: source.Reads(MarkdownConversation),
	Note: true, Mark: "#### ",
}

// frontMatter matches names with their values, each in a line, or in a list below the name. Words between two rules are
// none.
const frontMatter = `---[ \t]*\r?\n(?:[\w-]+:(?:[ \t][^\n]*|\r)?\n(?:(?:[ \t]+|- |\r)[^\n]*\n|\n)*)*---[ \t]*\r?\n`

var (
	// begins matches all that may stand before the first message: front matter, and a title. A note that quotes a chat
	// has words before it.
	begins = lazyregexp.New(`\A(?:` + frontMatter + `)?\s*(?:# [^\n]*\n\s*)?` +
		`#### (?:You|ChatGPT|Plugin[^:\n]*):[ \t]*\r?\n`)
	front       = lazyregexp.New(`\A` + frontMatter)
	youHeading  = lazyregexp.New(`(?m)^#### You:[ \t]*\r?$`)
	chatHeading = lazyregexp.New(`(?m)^#### ChatGPT:[ \t]*\r?$`)
	heading     = lazyregexp.New(`^#### (You|ChatGPT|Plugin[^:]*):\s*$`)
	// chatLink has the id of the conversation.
	chatLink = lazyregexp.New(`/c/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`)
	timeTag  = lazyregexp.New(`^\s*<time datetime="([^"]+)"[^>]*>[^<]*</time>\s*$`)
)

func matchesMarkdown(s *source.Sample) bool {
	return len(s.Values) == 0 && begins().Match(s.Head) && youHeading().Match(s.Head) && chatHeading().Match(s.Head)
}

// maxMarkdown bounds a file, in bytes.
const maxMarkdown = 64 << 20

// MarkdownConversation yields the conversation of a Markdown file. Its id is made of its link, else of its title and
// first words. It is not that of an export: without ids of messages, the same turns would be in that conversation
// twice. An error is a *errs.Error or a *chat.Skip.
func MarkdownConversation(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		text, err := io.ReadAll(io.LimitReader(r, maxMarkdown+1))
		switch {
		case err != nil:
			yield(nil, chat.ReadFailed("chatgpt: read", err))
		case len(text) > maxMarkdown:
			yield(nil, &errs.Error{
				Code: errs.TooLarge, Op: "chatgpt: read", Message: "a conversation is larger than 64 MiB",
				Hint: "check where the file came from; no chat grows that large",
			})
		default:
			m := markdown{draft: chat.Draft{Source: store.ChatGPT}}
			m.read(text)
			if len(m.draft.Nodes) == 0 {
				yield(nil, &chat.Skip{Reason: "no messages"})
				return
			}
			yield(m.parsed(), nil)
		}
	}
}

// markdown collects the draft of a Markdown file.
type markdown struct {
	draft chat.Draft
	ids   chat.ContentIDs
	open  *chat.Message
	lines []string
}

func (m *markdown) read(text []byte) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	begin := front().Find(text)
	for line := range strings.Lines(string(begin)) {
		m.property(line)
	}
	in := bufio.NewScanner(bytes.NewReader(text[len(begin):]))
	in.Buffer(nil, maxMarkdown+1)
	for in.Scan() {
		line := in.Text()
		switch found := heading().FindStringSubmatch(line); {
		case found != nil:
			m.close()
			m.open = &chat.Message{Role: roleOf(found[1]), ContentType: "text"}
		case m.open == nil:
			if title, ok := strings.CutPrefix(line, "# "); ok && m.draft.Title == "" {
				m.draft.Title = title
			}
		default:
			m.line(line)
		}
	}
	m.close()
}

func roleOf(heading string) store.Role {
	switch heading {
	case "You":
		return store.User
	case "ChatGPT":
		return store.Assistant
	}
	return store.Tool
}

// property reads a line of the front matter.
func (m *markdown) property(line string) {
	name, value, _ := strings.Cut(line, ":")
	value = strings.Trim(strings.TrimSpace(value), `"`)
	switch name {
	case "title":
		m.draft.Title = value
	case "source":
		if link := chatLink().FindStringSubmatch(value); link != nil {
			m.draft.ID = "chatgpt markdown " + strings.ToLower(link[1])
		}
	case "create_time":
		m.draft.Created = chat.Time(value)
	case "update_time":
		m.draft.Updated = chat.Time(value)
	}
}

// line adds a line to the open message. A time may stand before its text.
func (m *markdown) line(line string) {
	if at := timeTag().FindStringSubmatch(line); at != nil && strings.TrimSpace(strings.Join(m.lines, "")) == "" {
		m.open.Time = chat.Time(at[1])
		return
	}
	m.lines = append(m.lines, line)
}

func (m *markdown) close() {
	if m.open == nil {
		return
	}
	m.open.Text = strings.Trim(strings.Join(m.lines, "\n"), "\r\n")
	m.open.Visible = m.open.Role != store.Tool
	m.open.Raw = []byte("{}") // there is no JSON
	m.draft.Nodes = append(m.draft.Nodes, chat.Node{ID: m.ids.Of(m.open), Message: m.open})
	m.open, m.lines = nil, nil
}

func (m *markdown) parsed() *chat.Parsed {
	d := &m.draft
	if d.ID == "" {
		d.ID = "chatgpt " + chat.ContentID(d.Title, d.Nodes[0].Message.Text)
	}
	d.LinkInOrder()
	d.Current = d.Nodes[len(d.Nodes)-1].ID
	d.DateByMessages()
	return chat.Build(d)
}
