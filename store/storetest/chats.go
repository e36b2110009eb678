package storetest

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// day is the first day of the test conversations.
var day = time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)

// at is the given number of hours after the beginning of day.
func at(hours int) time.Time { return day.Add(time.Duration(hours) * time.Hour) }

// exchange is one turn of a test conversation. A zero At is undated; a Branch is off the active path.
type exchange struct {
	User    string
	Replies []string
	Summary string // of the last reply
	At      time.Time
	Branch  bool
}

// chat makes a conversation of exchanges as a parser does, with messages, turns and the fields that
// reading a turn fills in. Equal names yield equal ids.
func chat(name string, exchanges ...exchange) store.Conversation {
	c := store.Conversation{
		ID: idOf("conversation " + name), SourceID: name, Source: store.ChatGPT, Title: "About " + name,
		Created: day, Updated: day.Add(time.Hour), Model: "gpt-4", Hash: hashOf(name),
	}
	for i, e := range exchanges {
		addExchange(&c, i, e)
	}
	return c
}

// small is a chat of one exchange.
func small(name string, when time.Time) store.Conversation {
	return chat(name, exchange{User: "question on " + name, Replies: []string{"answer on " + name}, At: when})
}

func addExchange(c *store.Conversation, i int, e exchange) {
	name := fmt.Sprintf("%s %d", c.SourceID, i)
	user := message(c, name+" user", store.User, e.User, e)
	t := store.Turn{
		ID: store.TurnID(user.ID), Conversation: c.ID, Title: c.Title, Source: c.Source, UserMessage: user.ID,
		Position: i, OnPath: !e.Branch, Time: e.At, Model: "gpt-4", Length: len(strings.Fields(e.User)),
		UserText: e.User, AssistantText: strings.Join(e.Replies, "\n\n"), Summary: e.Summary,
		Embeddable: e.User != "" && len(e.Replies) > 0,
	}
	if e.At.IsZero() {
		t.TimeSource = store.Undated
	}
	t.Hash = hashOf(t.UserText, t.AssistantText, t.Summary, t.Time.String(), fmt.Sprint(t.OnPath))
	user.Turn = t.ID
	c.Messages = append(c.Messages, user)
	for j, text := range e.Replies {
		reply := message(c, fmt.Sprintf("%s reply %d", name, j), store.Assistant, text, e)
		reply.Turn, t.Assistant = t.ID, reply.ID
		if j == len(e.Replies)-1 {
			reply.Summary = e.Summary
		}
		c.Messages = append(c.Messages, reply)
	}
	c.Turns = append(c.Turns, t)
}

// message makes the next message of a conversation, as a child of the last one.
func message(c *store.Conversation, name string, role store.Role, text string, e exchange) store.Message {
	m := store.Message{
		ID: idOf(name), SourceID: name, Seq: len(c.Messages), Role: role, ContentType: "text", Text: text, Model: "gpt-4",
		Time: e.At, Visible: true, OnPath: !e.Branch, Raw: []byte(`{"id":"` + name + `"}`), Hash: hashOf(name, text),
	}
	if n := len(c.Messages); n > 0 {
		m.Parent = c.Messages[n-1].ID
	}
	return m
}

func idOf(name string) uuid.UUID { return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)) }

func hashOf(parts ...string) store.Hash {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return store.Hash(sum[:16])
}

// turnIDs returns the ids of a conversation's turns.
func turnIDs(c store.Conversation) []uuid.UUID { return idsOf(c.Turns) }

func idsOf(turns []store.Turn) []uuid.UUID {
	ids := make([]uuid.UUID, len(turns))
	for i := range turns {
		ids[i] = turns[i].ID
	}
	return ids
}

// Chat returns a conversation of n turns, whose title and texts are one word, for tests of one backend. Its turns
// have no ord yet.
func Chat(n int, word string) store.Conversation {
	c := store.Conversation{ID: uuid.New(), Title: word, SourceID: word}
	for i := range n {
		user, reply := uuid.New(), uuid.New()
		id := store.TurnID(user)
		message := store.Message{
			ID: user, Seq: 2 * i, Role: store.User, Text: word, Turn: id, Visible: true, Raw: []byte(word),
		}
		answer := message
		answer.ID, answer.Seq, answer.Role = reply, message.Seq+1, store.Assistant
		c.Messages = append(c.Messages, message, answer)
		c.Turns = append(c.Turns, store.Turn{
			ID: id, Conversation: c.ID, UserMessage: user, Assistant: reply, Position: i, OnPath: true, Embeddable: true,
			Time: time.Unix(int64(i), 0).UTC(), Length: 1,
		})
	}
	return c
}
