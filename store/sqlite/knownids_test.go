package sqlite

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/storetest"
)

// owner returns the conversation that a transaction says has a message.
func owner(t *testing.T, s *Store, message uuid.UUID) (conversation uuid.UUID) {
	t.Helper()
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		owners, err := tx.MessageOwners(t.Context(), []uuid.UUID{message, {1}})
		if len(owners) > 1 {
			t.Errorf("an unknown message has an owner: %v", owners)
		}
		conversation = owners[message]
		return err
	}))
	return conversation
}

func TestMessageOwners_OtherProcessWrites(t *testing.T) {
	dir := t.TempDir()
	s, other := openIn(t, Options{Dir: dir}), openIn(t, Options{Dir: dir})
	s.lock.linger, other.lock.linger = 0, 0
	for i := range 3 {
		c := storetest.Chat(i+1, fmt.Sprint("chat ", i))
		message := c.Messages[0].ID
		if got := owner(t, s, message); got != uuid.Nil {
			t.Fatalf("%d: %v has a message that is not stored", i, got)
		}
		must(t, put(t.Context(), other, c))
		if got := owner(t, s, message); got != c.ID {
			t.Errorf("%d: the owner is %v, want %v", i, got, c.ID)
		}
	}
}

func TestConversationStates_OtherProcessWrites(t *testing.T) {
	dir := t.TempDir()
	s, other := openIn(t, Options{Dir: dir}), openIn(t, Options{Dir: dir})
	s.lock.linger, other.lock.linger = 0, 0
	isStored := func(id uuid.UUID) (stored bool) {
		must(t, s.Update(t.Context(), func(tx store.Tx) error {
			states, err := tx.ConversationStates(t.Context(), []uuid.UUID{id, {1}})
			if stored = len(states) > 0; len(states) > 1 {
				t.Errorf("an unknown conversation has a state: %v", states)
			}
			return err
		}))
		return stored
	}
	for i := range 3 {
		c := storetest.Chat(i+1, fmt.Sprint("chat ", i))
		if isStored(c.ID) {
			t.Fatalf("%d is stored already", i)
		}
		must(t, put(t.Context(), other, c))
		if !isStored(c.ID) {
			t.Errorf("%d is not stored", i)
		}
	}
	if s.known.hashes == nil {
		t.Error("the ids were never read")
	}
}

func TestConversationStates_AfterRollback(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	c := storetest.Chat(1, "chat")
	must(t, put(t.Context(), s, c))
	failure := errors.New("a failure after the ids were read")
	err := s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Forget(t.Context(), []uuid.UUID{c.ID})
		must(t, err)
		_, err = tx.ConversationStates(t.Context(), []uuid.UUID{{1}, {2}})
		must(t, err)
		return failure
	})
	if !errors.Is(err, failure) {
		t.Fatalf("got %v", err)
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		states, err := tx.ConversationStates(t.Context(), []uuid.UUID{c.ID})
		if len(states) != 1 {
			t.Errorf("the states are %v", states)
		}
		return err
	}))
}

func TestConversationStates_InTheSameTransaction(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		for i := range 3 {
			c := storetest.Chat(i+1, fmt.Sprint("chat ", i))
			must(t, tx.PutConversations(t.Context(), []store.Conversation{c}))
			states, err := tx.ConversationStates(t.Context(), []uuid.UUID{c.ID})
			must(t, err)
			if len(states) != 1 {
				t.Errorf("%s: the states are %v", c.Title, states)
			}
		}
		return nil
	}))
}

func TestMessageOwners_InTheSameTransaction(t *testing.T) {
	first, second := storetest.Chat(1, "first"), storetest.Chat(2, "second")
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		for _, c := range []store.Conversation{first, second} { // for the first, nothing is known yet
			must(t, tx.PutConversations(t.Context(), []store.Conversation{c}))
			must(t, tx.PutMessages(t.Context(), c.ID, c.Messages))
			owners, err := tx.MessageOwners(t.Context(), []uuid.UUID{c.Messages[0].ID})
			must(t, err)
			if owners[c.Messages[0].ID] != c.ID {
				t.Errorf("%s: the owners are %v", c.Title, owners)
			}
		}
		return nil
	}))
}

func TestMessageOwners_FewAreAskedOfLargeArchive(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	var last store.Conversation
	for i := range 20 {
		last = storetest.Chat(i+1, fmt.Sprint("chat ", i))
		must(t, put(t.Context(), s, last))
	}
	ask := func() bool {
		if got := owner(t, s, last.Messages[0].ID); got != last.ID {
			t.Errorf("the owner is %v, want %v", got, last.ID)
		}
		return s.known.hashes != nil
	}
	if ask() {
		t.Error("all ids were read for two look-ups")
	}
	for tries := 0; !ask(); tries++ {
		if tries == 100 {
			t.Fatal("the ids are never read")
		}
	}
	ask()
}
