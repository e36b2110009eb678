package chatgpt

import (
	"bufio"
	"io"
	"iter"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Page is the page chat.html of an export. Its script holds the conversations of conversations.json.
var Page = source.Format{
	Source: store.ChatGPT, Name: "ChatGPT", Matches: matchesPage,
	Read:      func(f *source.File) source.Conversations { return pageConversations(f, textdocsOf(f)) },
	Companion: isTextdocs, FindTools: findTools,
}

// pageData matches what stands before the conversations.
var pageData = lazyregexp.New(`var jsonData\s{0,9}=\s{0,9}\[`)

func matchesPage(s *source.Sample) bool { return len(s.Values) == 0 && pageData().Match(s.Head) }

// PageConversations is Conversations for the page chat.html.
func PageConversations(r io.Reader) iter.Seq2[*chat.Parsed, error] { return pageConversations(r, nil) }

func pageConversations(r io.Reader, beside *textdocs) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		if err := skipTo(in, "var jsonData"); err != nil {
			yield(nil, err)
			return
		}
		for p, err := range conversations(&array{in: in}, beside) {
			if !yield(p, err) {
				return
			}
		}
	}
}

// skipTo reads up to the end of mark, and then to the next bracket.
func skipTo(in *bufio.Reader, mark string) error {
	matched := 0
	for {
		b, err := in.ReadByte()
		switch {
		case err == io.EOF:
			return &errs.Error{
				Code: errs.Invalid, Op: "chatgpt: read", Message: "the page has no conversations",
				Hint: "use conversations.json of the same export, or download the export again",
			}
		case err != nil:
			return chat.ReadFailed("chatgpt: read", err)
		case matched == len(mark):
			if b == '[' {
				return in.UnreadByte()
			}
		case b == mark[matched]:
			matched++
		case b == mark[0]: // which occurs in mark only once
			matched = 1
		default:
			matched = 0
		}
	}
}

// array reads a JSON array and ends with it, whatever follows. It does not check it.
type array struct {
	in       *bufio.Reader
	depth    int
	inString bool
	escaped  bool
	done     bool
}

func (a *array) Read(p []byte) (int, error) {
	if a.done {
		return 0, io.EOF
	}
	n, err := a.in.Read(p)
	if end := a.end(p[:n]); end >= 0 {
		a.done = true
		return end, nil
	}
	return n, err
}

// end returns the length of b up to the end of the array, -1 if b does not contain it.
func (a *array) end(b []byte) int {
	for i, c := range b {
		switch {
		case a.escaped:
			a.escaped = false
		case c == '"':
			a.inString = !a.inString
		case a.inString:
			a.escaped = c == '\\'
		case c == '[', c == '{':
			a.depth++
		case c == ']', c == '}':
			if a.depth--; a.depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
