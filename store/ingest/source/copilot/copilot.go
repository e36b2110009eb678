// Package copilot parses the activity of Microsoft Copilot, which its privacy dashboard exports as CSV in three
// layouts. It does no I/O of its own.
//
// Rows have no ids and may come newest first. Those with the same name are one conversation, until a day passes without
// any; its name and first time identify it. Times without a zone count as UTC. One layout has prompts alone.
package copilot

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of all three.
var Format = source.Format{
	Source: store.Copilot, Name: "Microsoft Copilot", Matches: matches, Read: source.Reads(Conversations),
	Get:      "account.microsoft.com, Privacy, Copilot activity; CSV",
	Download: lazyregexp.New(`(?i)^copilot-activity-history.*\.csv$`),
}

// pause is how long a conversation may rest. The services have no such rule; without one, all chats with the name "New
// chat" would be one.
const pause = 24 * time.Hour

// layout says which columns have what. A column that a layout does not have is -1.
type layout struct {
	header                        string
	name, time, author, text, app int
}

var layouts = []layout{
	{header: "Conversation,Time,Author,Message", name: 0, time: 1, author: 2, text: 3, app: -1},
	{header: "CreatedAt,MessageContent,Author,ChatName", time: 0, text: 1, author: 2, name: 3, app: -1},
	{header: "Timestamp,ClientApp,Prompt", time: 0, app: 1, text: 2, name: -1, author: -1},
}

func matches(s *source.Sample) bool {
	line, _, _ := bytes.Cut(s.Head, []byte("\n"))
	_, ok := layoutOf(strings.Split(string(line), ","))
	return ok
}

func layoutOf(header []string) (layout, bool) {
	for i := range header {
		header[i] = strings.Trim(header[i], "\"\r \uFEFF")
	}
	at := slices.IndexFunc(layouts, func(l layout) bool { return strings.EqualFold(l.header, strings.Join(header, ",")) })
	if at < 0 {
		return layout{}, false
	}
	return layouts[at], true
}

// row is a message of the file.
type row struct {
	name    string
	message chat.Message
}

// Conversations yields the conversations of one CSV file, in the order of their first times. For a row that cannot be
// read it yields a *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return conversations(r, chat.MaxConversation)
}

// conversations keeps all rows in memory, and so reads at most limit bytes.
func conversations(r io.Reader, limit int) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		in := csv.NewReader(chat.Limit(r, limit))
		in.FieldsPerRecord, in.LazyQuotes = -1, true
		header, err := in.Read()
		l, ok := layoutOf(header)
		if !ok {
			yield(nil, headerError(err))
			return
		}
		var rows []row
		var failure error
		for index := 0; ; index++ {
			fields, err := in.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			var damaged *csv.ParseError
			if err != nil && !errors.As(err, &damaged) {
				failure = chat.ReadFailed("copilot: read", err)
				break
			}
			m, reason := l.row(fields, err)
			if reason == "" {
				rows = append(rows, m)
			} else if !yield(nil, &chat.Skip{Index: index, Reason: reason, Nodes: 1}) {
				return
			}
		}
		for _, d := range group(rows) {
			if !yield(chat.Build(d), nil) {
				return
			}
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

func headerError(err error) error {
	var damaged *csv.ParseError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &damaged) {
		return chat.ReadFailed("copilot: read", err)
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "copilot: read", Message: "the first line names no columns that Lens knows",
		Hint: "export the activity again from the privacy dashboard, and import that file unchanged",
	}
}

// row reads a row, or returns the reason why it cannot.
func (l *layout) row(fields []string, err error) (r row, reason string) {
	if err != nil {
		return r, "damaged row"
	}
	if len(fields) <= max(l.name, l.time, l.author, l.text, l.app) {
		return r, "row with too few columns"
	}
	raw, err := json.Marshal(fields) // invalid UTF-8 is replaced
	if err != nil {
		return r, "damaged row"
	}
	raw, _ = chat.ScrubJSON(raw)
	r.message = chat.Message{
		Role: store.User, ContentType: "text", Text: fields[l.text], Time: timeOf(fields[l.time]), Visible: true, Raw: raw,
	}
	if l.author >= 0 && !isPerson(fields[l.author]) {
		r.message.Role = store.Assistant
	}
	if l.name >= 0 {
		r.name = fields[l.name]
	} else {
		r.name = fields[l.app]
	}
	return r, ""
}

func isPerson(author string) bool {
	return slices.Contains([]string{"user", "human", "you", "me"}, strings.ToLower(strings.TrimSpace(author)))
}

// times are the layouts of times that chat.Time does not read.
var times = []string{
	"1/2/2006 3:04:05 PM -07:00", "1/2/2006 15:04:05 -07:00", "1/2/2006 3:04:05 PM", "1/2/2006 15:04:05",
}

func timeOf(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range times {
		if t, err := time.Parse(layout, s); err == nil {
			return chat.Time(t.UTC().Format(time.RFC3339))
		}
	}
	return chat.Time(s)
}

// group makes conversations of rows. It orders them by time; equal times keep the order of the file, or reverse it
// where that is newest first.
func group(rows []row) (all []*chat.Draft) {
	if n := len(rows); n > 1 && rows[n-1].message.Time.Before(rows[0].message.Time) {
		slices.Reverse(rows)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.message.Time.Compare(b.message.Time) })
	type open struct {
		draft *chat.Draft
		ids   chat.ContentIDs
		last  time.Time
	}
	current := make(map[string]*open)
	for i := range rows {
		m := &rows[i].message
		o := current[rows[i].name]
		if o == nil || m.Time.Sub(o.last) > pause {
			first := ""
			if !m.Time.IsZero() {
				first = m.Time.Format(time.RFC3339Nano)
			}
			o = &open{draft: &chat.Draft{Source: store.Copilot, ID: "copilot " + chat.ContentID(rows[i].name, first)}}
			o.draft.Title = rows[i].name
			current[rows[i].name] = o
			all = append(all, o.draft)
		}
		o.last = m.Time
		o.draft.Nodes = append(o.draft.Nodes, chat.Node{ID: o.ids.Of(m), Message: m})
	}
	for _, d := range all {
		d.LinkInOrder()
		d.Current = d.Nodes[len(d.Nodes)-1].ID
		d.DateByMessages()
	}
	return all
}
