// Package lechat parses the conversations of a Le Chat export (Mistral). It does no I/O of its own.
//
// A file is the list of the messages of one conversation, in no order: their times order them. There are no titles. An
// answer with a version above 0 was made again: it stands beside the one before it.
package lechat

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"strings"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of the files chat-….json of an export.
var Format = source.Format{
	Source: store.LeChat, Name: "Le Chat", Matches: matches, Read: source.Reads(Conversations),
	Get:      "your account, Export data; a zip",
	Download: lazyregexp.New(`(?i)^chat-export-.*\.zip$`),
}

func matches(s *source.Sample) bool {
	return s.Any(func(m source.Value) bool { return m.Has("chatId", "contentChunks") })
}

// Conversations yields the conversations of one JSON file: one, unless files were joined. For a message that belongs to
// none it yields a *chat.Skip with the reason; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return conversations(r, chat.MaxConversation)
}

// conversations keeps all messages in memory, and so reads at most limit bytes.
func conversations(r io.Reader, limit int) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		var all []*chat.Draft // by first message
		at := make(map[string]int)
		var failure error
		index := -1
		isMessage := func(raw []byte) bool {
			id, n, _ := message(raw)
			return id != "" && n.Message.Text != ""
		}
		for raw, err := range chat.Elements("lechat: read", chat.Limit(r, limit), isMessage) {
			if failure = err; err != nil {
				break
			}
			index++
			id, n, count := message(raw)
			if id == "" {
				if !yield(nil, &chat.Skip{Index: index, Reason: "message without a chat", Nodes: 1}) {
					return
				}
				continue
			}
			i, known := at[id]
			if !known {
				i = len(all)
				at[id] = i
				all = append(all, &chat.Draft{Source: store.LeChat, ID: id})
			}
			all[i].Nodes = append(all[i].Nodes, n)
			all[i].Count.Scrubbed += count.Scrubbed
			for kind, times := range count.UnknownContent {
				for range times {
					all[i].Count.Unknown(kind)
				}
			}
		}
		for _, d := range all {
			if !yield(build(d), nil) {
				return
			}
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

func build(d *chat.Draft) *chat.Parsed {
	slices.SortStableFunc(d.Nodes, func(a, b chat.Node) int { return a.Message.Time.Compare(b.Message.Time) })
	var ids chat.ContentIDs
	for i := range d.Nodes {
		d.Nodes[i].ID = cmp.Or(d.Nodes[i].ID, ids.Of(d.Nodes[i].Message))
	}
	link(d.Nodes)
	d.Current = d.Nodes[len(d.Nodes)-1].ID
	d.DateByMessages()
	return chat.Build(d)
}

// link makes each message the child of the one before it, and a regenerated answer a sibling of the one that it
// follows.
func link(nodes []chat.Node) {
	for i := 1; i < len(nodes); i++ {
		before := &nodes[i-1]
		nodes[i].Parent = before.ID
		if nodes[i].Alias == regenerated && before.Message.Role == store.Assistant {
			nodes[i].Parent = before.Parent
		}
	}
	for i := range nodes {
		nodes[i].Alias = ""
	}
}

// regenerated marks an answer with a version above 0, until it is linked.
const regenerated = "regenerated"

// message reads one message and returns the id of its conversation, "" for none.
func message(raw []byte) (conversation string, n chat.Node, count chat.Count) {
	c := chat.NewCursor(raw)
	m := &chat.Message{Role: store.Tool, ContentType: "text", Visible: true}
	var content string
	var chunks strings.Builder
	var files []string
	m.Raw = c.Raw(&count, func() {
		c.Object(func(name []byte) {
			switch string(name) {
			case "id":
				n.ID = c.String()
			case "chatId":
				conversation = c.String()
			case "role":
				m.Role = role(c.String())
			case "content":
				content = c.String()
			case "createdAt":
				m.Time = c.Time()
			case "version":
				if version := c.String(); version != "" && version != "0" {
					n.Alias = regenerated
				}
			case "contentChunks":
				c.Array(func() { addChunk(c, &chunks, &count) })
			case "files":
				c.Array(func() {
					c.Object(func(name []byte) {
						if string(name) == "name" {
							files = append(files, c.String())
						}
					})
				})
			}
		})
	})
	if m.Text = content; strings.TrimSpace(chunks.String()) != "" {
		m.Text = chunks.String()
	}
	if m.Role == store.User {
		m.Text = cmp.Or(m.Text, chat.Attached(files))
	}
	m.Visible = m.Role == store.User || m.Role == store.Assistant
	n.Message = m
	return conversation, n, count
}

func role(name string) store.Role {
	switch name {
	case "user":
		return store.User
	case "assistant":
		return store.Assistant
	case "system":
		return store.System
	}
	return store.Tool
}

// addChunk adds the text of an element of contentChunks. References stand between pieces of a sentence, calls of tools
// between paragraphs.
func addChunk(c *chat.Cursor, all *strings.Builder, count *chat.Count) {
	var kind, text string
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = c.String()
		case "text":
			text = c.String()
		}
	})
	switch kind {
	case "text", "":
		all.WriteString(text)
	case "tool_call", "custom_element":
		if all.Len() > 0 {
			all.WriteString("\n\n")
		}
	case "reference", "image_url":
	default:
		count.Unknown(kind)
	}
}
