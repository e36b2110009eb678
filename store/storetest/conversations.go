package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var conversationChecks = []check{
	{"are returned in the requested order, without messages and turns", conversationsComeBack},
	{"are returned, whether few or many of them are asked for", fewAndManyComeBack},
	{"are listed by source, including those without turns", conversationsAreListedBySource},
	{"that do not exist are not found", unknownConversationsAreNotFound},
	{"are replaced by their id", conversationsAreReplaced},
	{"may have no times", conversationsMayHaveNoTimes},
	{"return all messages of every branch in Seq order, with Raw", messagesComeBack},
	{"that do not exist have no messages", unknownConversationsHaveNoMessages},
	{"report the states that a re-import needs", statesTellWhatIsStored},
	{"keep what ingest stores of their versions", versionsComeBack},
	{"keep messages that a write does not replace", messagesAreReplacedByID},
}

func conversationsComeBack(t *testing.T, a *archive) {
	put := a.put(t, small("one", at(1)), small("two", at(2)), small("three", at(3)))
	got, err := a.Conversations(t.Context(), []uuid.UUID{put[2].ID, put[0].ID})
	must(t, err)
	wanted := []store.Conversation{bare(put[2]), bare(put[0])}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
}

// A backend may read many in another way than few.
func fewAndManyComeBack(t *testing.T, a *archive) {
	var put []store.Conversation
	for i := range 20 {
		put = append(put, small(fmt.Sprint("of many ", i), at(i)))
	}
	put = a.put(t, put...)
	for _, n := range []int{1, 4, 5, len(put)} {
		var ids []uuid.UUID
		var wanted []store.Conversation
		for _, c := range slices.Backward(put[:n]) {
			ids, wanted = append(ids, c.ID, c.ID), append(wanted, bare(c), bare(c))
		}
		got, err := a.Conversations(t.Context(), ids)
		must(t, err)
		if !reflect.DeepEqual(got, wanted) {
			t.Errorf("%d: got %+v, want %+v", n, got, wanted)
		}
		_, err = a.Conversations(t.Context(), append(ids, idOf("unknown")))
		if errs.CodeOf(err) != errs.NotFound {
			t.Errorf("%d and an unknown one: %v", n, err)
		}
	}
}

// bare returns c as Conversations returns it.
func bare(c store.Conversation) store.Conversation {
	c.Messages, c.Turns = nil, nil
	return c
}

func conversationsAreListedBySource(t *testing.T, a *archive) {
	silent, claude := small("silent", at(1)), small("claude", at(2))
	silent.Messages, silent.Turns, claude.Source = nil, nil, store.Claude
	put := a.put(t, small("one", at(3)), silent, claude)
	for source, wanted := range map[store.Source][]uuid.UUID{
		"":            {put[0].ID, put[1].ID, put[2].ID},
		store.ChatGPT: {put[0].ID, put[1].ID},
		store.Claude:  {put[2].ID},
		"elsewhere":   nil,
	} {
		slices.SortFunc(wanted, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		got, err := a.ConversationIDs(t.Context(), source)
		must(t, err)
		if !slices.Equal(got, wanted) {
			t.Errorf("from %q: got %v, want %v", source, got, wanted)
		}
	}
}

func unknownConversationsAreNotFound(t *testing.T, a *archive) {
	put := a.put(t, small("one", at(1)))
	_, err := a.Conversations(t.Context(), []uuid.UUID{put[0].ID, idOf("unknown")})
	wantCode(t, err, errs.NotFound)
}

func conversationsAreReplaced(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	c.Title, c.Updated, c.Hash, c.Source = "Renamed", at(99), hashOf("other"), store.Claude
	c.Superseded = c.Superseded.Add(hashOf("first")).Add(hashOf("second"))
	a.update(t, func(tx store.Tx) error { return tx.PutConversations(t.Context(), []store.Conversation{c}) })
	got, err := a.Conversations(t.Context(), []uuid.UUID{c.ID})
	must(t, err)
	if !reflect.DeepEqual(got[0], bare(c)) {
		t.Errorf("got %+v, want %+v", got[0], bare(c))
	}
	want(t, "title of its turn", a.turns(t, turnIDs(c)...)[0].Title, "Renamed")
	want(t, "source of its turn", a.turns(t, turnIDs(c)...)[0].Source, store.Claude)
}

func versionsComeBack(t *testing.T, a *archive) {
	put := a.put(t, small("one", at(1)), small("two", at(2)), small("three", at(3)))
	keep := func(c store.Conversation, body string) {
		a.update(t, func(tx store.Tx) error { return tx.PutVersions(t.Context(), c.ID, []byte(body)) })
	}
	versions := func(wanted ...string) {
		t.Helper()
		var ids []uuid.UUID
		for i, c := range put {
			body, err := a.Versions(t.Context(), c.ID)
			must(t, err)
			want(t, "versions of "+c.Title, string(body), wanted[i])
			if wanted[i] != "" {
				ids = append(ids, c.ID)
			}
		}
		slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		got, err := a.VersionedIDs(t.Context())
		must(t, err)
		if !slices.Equal(got, ids) {
			t.Errorf("conversations with versions: %v, want %v", got, ids)
		}
	}
	keep(put[0], "first")
	keep(put[1], "second")
	keep(put[2], "third")
	keep(put[1], "another")
	versions("first", "another", "third")
	a.update(t, func(tx store.Tx) error { return tx.PutConversations(t.Context(), put[:1]) })
	keep(put[2], "")
	versions("first", "another", "")
	a.forget(t, put[0].ID)
	versions("", "another", "")
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	versions("", "", "")
}

func conversationsMayHaveNoTimes(t *testing.T, a *archive) {
	c := small("one", at(1))
	c.Created, c.Updated = time.Time{}, time.Time{}
	a.put(t, c)
	got, err := a.Conversations(t.Context(), []uuid.UUID{c.ID})
	must(t, err)
	if !got[0].Created.IsZero() || !got[0].Updated.IsZero() {
		t.Errorf("times %v and %v, want none", got[0].Created, got[0].Updated)
	}
}

func messagesComeBack(t *testing.T, a *archive) {
	c := chat("branches",
		exchange{User: "hello", Replies: []string{"first", "second"}, Summary: "greeted", At: at(1)},
		exchange{User: "again", Replies: []string{"third"}, At: at(2), Branch: true},
		exchange{User: "undated"})
	c.Messages = append(c.Messages, hidden(&c))
	shuffled := c
	shuffled.Messages = slices.Clone(c.Messages)
	slices.Reverse(shuffled.Messages)
	a.put(t, shuffled, small("another", at(1)))
	got, err := a.Messages(t.Context(), c.ID)
	must(t, err)
	if !reflect.DeepEqual(got, c.Messages) {
		t.Errorf("got %+v, want %+v", got, c.Messages)
	}
}

// hidden makes a message that belongs to no turn.
func hidden(c *store.Conversation) store.Message {
	m := message(c, c.SourceID+" hidden", store.Tool, "print(1)", exchange{At: at(1)})
	m.ContentType, m.Visible, m.OnPath = "code", false, false
	return m
}

func unknownConversationsHaveNoMessages(t *testing.T, a *archive) {
	got, err := a.Messages(t.Context(), idOf("unknown"))
	must(t, err)
	want(t, "messages", len(got), 0)
}

func statesTellWhatIsStored(t *testing.T, a *archive) {
	c := a.put(t, chat("one",
		exchange{User: "q", Replies: []string{"a"}, At: at(1)},
		exchange{User: "b", At: at(2), Branch: true}))[0]
	other := a.put(t, small("other", at(1)))[0]
	a.update(t, func(tx store.Tx) error {
		ids := []uuid.UUID{c.ID, idOf("unknown")}
		conversations, err := tx.ConversationStates(t.Context(), ids)
		must(t, err)
		wantedStates := map[uuid.UUID]store.ConversationState{c.ID: {Hash: c.Hash, Created: c.Created, Updated: c.Updated}}
		if !reflect.DeepEqual(conversations, wantedStates) {
			t.Errorf("conversations: got %v, want %v", conversations, wantedStates)
		}
		messages, err := tx.MessageStates(t.Context(), ids)
		must(t, err)
		want(t, "messages", len(messages), len(c.Messages))
		for _, m := range c.Messages {
			want(t, "message state", messages[m.ID], store.MessageState{Conversation: c.ID, Hash: m.Hash})
		}
		wantedOwners := map[uuid.UUID]uuid.UUID{c.Messages[1].ID: c.ID, other.Messages[0].ID: other.ID}
		for _, in := range []interface {
			MessageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error)
		}{tx, a} {
			owners, err := in.MessageOwners(t.Context(), []uuid.UUID{c.Messages[1].ID, idOf("no message"), other.Messages[0].ID})
			must(t, err)
			if !reflect.DeepEqual(owners, wantedOwners) {
				t.Errorf("owners: got %v, want %v", owners, wantedOwners)
			}
		}
		turns, err := tx.TurnStates(t.Context(), append(ids, other.ID))
		must(t, err)
		want(t, "turns", len(turns), 3)
		for _, u := range append(c.Turns, other.Turns...) {
			wanted := store.TurnState{Conversation: u.Conversation, Ord: u.Ord, Hash: u.Hash, OnPath: u.OnPath}
			want(t, "turn state", turns[u.ID], wanted)
		}
		return nil
	})
}

func messagesAreReplacedByID(t *testing.T, a *archive) {
	c := a.put(t, chat("one", exchange{User: "q", Replies: []string{"a"}, At: at(1)}))[0]
	reply := c.Messages[1]
	reply.Text, reply.Hash, reply.Summary = "better", hashOf("better"), "short"
	a.update(t, func(tx store.Tx) error { return tx.PutMessages(t.Context(), c.ID, []store.Message{reply}) })
	got, err := a.Messages(t.Context(), c.ID)
	must(t, err)
	if wanted := []store.Message{c.Messages[0], reply}; !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
	want(t, "assistant text", a.turns(t, turnIDs(c)...)[0].AssistantText, "better")
}
