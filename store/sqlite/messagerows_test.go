package sqlite

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/storetest"
)

// messages returns n messages from the number first on, which differ in every column. Those of another version have
// other texts under the same ids.
func messages(first, n int, version string) (all []store.Message) {
	for i := first; i < first+n; i++ {
		text := fmt.Sprintf("%s %d", version, i)
		hash := sha256.Sum256([]byte(text))
		m := store.Message{
			ID: uuid.UUID{15: byte(i), 0: 1}, SourceID: text + " source", Parent: uuid.UUID{15: byte(i), 0: 2}, Seq: i,
			Role: []store.Role{store.User, store.Assistant, store.Tool}[i%3], ContentType: []string{"text", "code"}[i/3%2],
			Text: text, Summary: strings.Repeat(text, i%2), Model: fmt.Sprint("gpt-", i/5), Visible: i%2 == 0, OnPath: i%3 == 0,
			Time: time.UnixMicro(int64(i)).UTC(), Turn: uuid.UUID{15: byte(i / 2), 0: 3}, Raw: []byte(text + " raw"),
			Hash: store.Hash(hash[:16]),
		}
		all = append(all, m)
	}
	return all
}

func TestPutMessages_SomeAreStored(t *testing.T) {
	s, c := openIn(t, Options{Dir: t.TempDir()}), storetest.Chat(1, "chat")
	write := func(messages ...[]store.Message) {
		t.Helper()
		must(t, s.Update(t.Context(), func(tx store.Tx) error {
			must(t, tx.PutConversations(t.Context(), []store.Conversation{c}))
			for _, some := range messages {
				must(t, tx.PutMessages(t.Context(), c.ID, some))
			}
			return nil
		}))
	}
	check := func(want []store.Message) {
		t.Helper()
		got, err := s.Messages(t.Context(), c.ID)
		must(t, err)
		if len(got) != len(want) {
			t.Fatalf("%d messages, want %d", len(got), len(want))
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("message %d is\n%+v, want\n%+v", i, got[i], want[i])
			}
		}
	}
	first := messages(0, 3*messagesAtOnce-2, "first")
	write(first)
	check(first)

	// Some are new, some replace others, one of them twice.
	second := messages(messagesAtOnce+3, 4*messagesAtOnce, "second")
	third := messages(messagesAtOnce+5, 1, "third")
	write(second[:5], second, third)
	want := append(first[:messagesAtOnce+3:messagesAtOnce+3], second...)
	want[messagesAtOnce+5] = third[0]
	check(want)
}

func TestPutMessages_LongBodies(t *testing.T) {
	s, c := openIn(t, Options{Dir: t.TempDir()}), storetest.Chat(1, "chat")
	all := messages(0, 2*messagesAtOnce, "first")
	for _, i := range []int{3, 4, messagesAtOnce} {
		var noise strings.Builder
		for n := range 8 * maxBodyAtOnce / 64 {
			fmt.Fprintf(&noise, "%x", sha256.Sum256([]byte{byte(n), byte(n >> 8), byte(i)}))
		}
		all[i].Text = noise.String()
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		must(t, tx.PutConversations(t.Context(), []store.Conversation{c}))
		return tx.PutMessages(t.Context(), c.ID, all)
	}))
	got, err := s.Messages(t.Context(), c.ID)
	must(t, err)
	if !reflect.DeepEqual(got, all) {
		t.Errorf("%d messages differ from the %d that were written", len(got), len(all))
	}
}

func TestPutTurns_SomeAreStored(t *testing.T) {
	s, c := openIn(t, Options{Dir: t.TempDir()}), storetest.Chat(3*turnsAtOnce, "chat")
	first := c.Turns[:turnsAtOnce+3]
	write := func(all ...[]store.Turn) {
		t.Helper()
		must(t, s.Update(t.Context(), func(tx store.Tx) error {
			must(t, tx.PutConversations(t.Context(), []store.Conversation{c}))
			for _, turns := range all {
				must(t, tx.PutTurns(t.Context(), turns))
			}
			return nil
		}))
	}
	for i := range c.Turns {
		c.Turns[i].Ord = store.Ord(i + 1)
	}
	write(first)

	// Some are new, the others change: with their ordinals, with new ones, and one of them twice.
	for i := range c.Turns {
		c.Turns[i].Length = 100 + i
		c.Turns[i].Model = fmt.Sprint("gpt-", i/turnsAtOnce)
		if i%3 == 0 {
			c.Turns[i].Ord += 1000
		}
	}
	last := c.Turns[turnsAtOnce+1]
	last.Length = 7
	write(append(slices.Clone(c.Turns), last))
	c.Turns[turnsAtOnce+1] = last

	ids := make([]uuid.UUID, len(c.Turns))
	for i := range c.Turns {
		ids[i] = c.Turns[i].ID
	}
	got, err := s.Turns(t.Context(), ids)
	must(t, err)
	for i, want := range c.Turns {
		if got[i].Ord != want.Ord || got[i].Length != want.Length || got[i].Model != want.Model {
			t.Errorf("turn %d is %+v, want %+v", i, got[i], want)
		}
	}
}
