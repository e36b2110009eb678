package ingest

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// history is what the archive keeps of a conversation: its versions, in the order of chat.Before, without those that
// add nothing to a newer one. What the archive shows is a function of it alone, chat.Fold, so the order in which the
// versions came does not matter. Forgotten turns are left out of each version.
type history struct {
	versions []*store.Conversation // with the ids of the files
	known    store.Hashes          // of all versions that were ever imported
}

// add adds a version. A version with the same hash, or the same export read by another release of Lens, gives way to
// it.
func (h *history) add(v *store.Conversation) {
	if !h.known.Has(v.Hash) {
		h.known = h.known.Add(v.Hash)
	}
	h.versions = slices.Clone(h.versions)
	same := slices.IndexFunc(h.versions, func(o *store.Conversation) bool {
		return o.Hash == v.Hash || chat.SameExport(o, v)
	})
	if same >= 0 {
		if other := h.versions[same].Hash; bytes.Compare(other[:], v.Hash[:]) > 0 {
			under := *v
			under.Hash = other
			v = &under
		}
		h.versions = slices.Delete(h.versions, same, same+1)
	}
	at, _ := slices.BinarySearchFunc(h.versions, v, chat.Before)
	h.versions = slices.Insert(h.versions, at, v)
	h.prune()
}

// prune drops the versions that add nothing to a newer one.
func (h *history) prune() {
	kept := h.versions[:0:0]
	for i, v := range h.versions {
		if !slices.ContainsFunc(h.versions[i+1:], func(newer *store.Conversation) bool { return !chat.Adds(v, newer) }) {
			kept = append(kept, v)
		}
	}
	h.versions = kept
}

// forget leaves turns out of all versions, and versions out that have no others.
func (h *history) forget(gone map[uuid.UUID]bool) {
	var kept []*store.Conversation
	for _, v := range h.versions {
		left := chat.Without(v, gone)
		if len(left.Turns) > 0 || len(v.Turns) == 0 {
			kept = append(kept, left)
		}
	}
	h.versions = kept
}

// turnsLike returns those turns and answers of all versions, by the ids that the files have, that are selected by these
// or by the ids that the archive may show.
func (h *history) turnsLike(selected map[uuid.UUID]bool) map[uuid.UUID]bool {
	gone := map[uuid.UUID]bool{}
	for _, v := range h.versions {
		turnsAmong(v, func(id uuid.UUID) bool { return selected[id] }, gone)
	}
	return gone
}

// turnsAmong adds to gone the turns of a version, also those that only another version has, and answers, by the ids
// that the file has. It asks about these ids and those that the archive may show instead.
func turnsAmong(v *store.Conversation, has func(uuid.UUID) bool, gone map[uuid.UUID]bool) {
	for i := range v.Messages {
		m := &v.Messages[i]
		if !chat.CanOpen(m) {
			continue
		}
		id := store.TurnID(m.ID)
		if given, own := has(id), has(store.TurnID(chat.OwnID(v.ID, m.ID))); given || own {
			gone[id] = true
		}
	}
	for _, a := range chat.Answers(v) {
		for _, id := range a.ShownAs(v.ID) {
			if has(id) {
				gone[a.ID()] = true
			}
		}
	}
}

// has reports whether any version has a message.
func (h *history) has(message uuid.UUID) bool { return h.hasAny(map[uuid.UUID]bool{message: true}) }

// hasAny reports whether any version has one of these messages.
func (h *history) hasAny(messages map[uuid.UUID]bool) bool {
	return slices.ContainsFunc(h.versions, func(v *store.Conversation) bool {
		return slices.ContainsFunc(v.Messages, func(m store.Message) bool { return messages[m.ID] })
	})
}

// encode returns the versions as the store keeps them, nil when there is only one: the stored messages are enough to
// make it, unless some were renamed.
func (h *history) encode(renamed bool) ([]byte, error) {
	if len(h.versions) < 2 && !renamed {
		return nil, nil
	}
	return encodeVersions(h.versions)
}

// storedChat is a conversation as the archive has it.
type storedChat struct {
	history
	conversation store.Conversation
	messages     []store.Message
}

// readStored reads what the archive has of a conversation.
func readStored(ctx context.Context, st store.Reader, id uuid.UUID) (s storedChat, err error) {
	conversations, err := st.Conversations(ctx, []uuid.UUID{id})
	if err != nil {
		return s, err
	}
	s.conversation = conversations[0]
	if s.messages, err = st.Messages(ctx, id); err != nil {
		return s, err
	}
	body, err := st.Versions(ctx, id)
	if err != nil {
		return s, err
	}
	s.known = s.conversation.Superseded
	if !s.known.Has(s.conversation.Hash) {
		s.known = s.known.Add(s.conversation.Hash)
	}
	if body != nil {
		s.versions, err = decodeVersions(body)
		return s, err
	}
	if s.conversation.Source.Chunked() {
		whole := s.conversation
		whole.Messages = s.messages
		s.versions = []*store.Conversation{&whole}
		return s, nil
	}
	s.versions = versionsOf(s.conversation, s.messages)
	return s, nil
}

// versionsOf makes versions from the stored messages of a conversation: that of the latest import and, of an
// archive of an older Lens, what it kept of others. Those messages have no hash; as a version, they are older than any.
func versionsOf(c store.Conversation, messages []store.Message) (versions []*store.Conversation) {
	newest, rest := c, c
	rest.Hash, rest.Updated = store.Hash{}, time.Time{}
	for _, m := range messages {
		switch {
		case m.ContentType == summaryType:
		case m.Hash != store.Hash{}:
			newest.Messages = append(newest.Messages, m)
		default:
			rest.Messages = append(rest.Messages, m)
		}
	}
	for _, v := range []*store.Conversation{&rest, &newest} {
		v.Superseded = nil
		originalIDs(v)
		chat.MakeTurns(v)
		if len(v.Messages) > 0 || v == &newest {
			versions = append(versions, v)
		}
	}
	return versions
}
