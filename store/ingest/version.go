package ingest

import (
	"bytes"
	"cmp"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// knownChat is what counting a version of a conversation needs to know of those before it. A dry run keeps one for each
// conversation that it would have written.
type knownChat struct {
	hashes   store.Hashes // of all versions
	versions []versionKey
	messages []knownMessage
	turns    []uuid.UUID
}

// versionKey is what chat.Before compares.
type versionKey struct {
	updated int64
	hash    store.Hash
}

type knownMessage struct {
	id      uuid.UUID
	hash    store.Hash
	version int // index of the newest version that has it
}

func keyOf(c *store.Conversation) versionKey { return versionKey{store.Micros(c.Updated), c.Hash} }

func (k versionKey) before(o versionKey) bool {
	return cmp.Or(cmp.Compare(k.updated, o.updated), bytes.Compare(k.hash[:], o.hash[:])) < 0
}

// unchanged reports whether a version changes nothing, given the hash, the known versions and the time of the stored
// conversation. A document changes whenever its file does, a record unless it is older.
func (e *entry) unchanged(stored store.Hash, known store.Hashes, updated time.Time) bool {
	p := e.parsed
	switch p.Source {
	case store.Documents:
		return p.Hash == stored
	case store.Chunks:
		return p.Hash == stored || p.Updated.Before(updated)
	}
	return p.Hash == stored || known.Has(p.Hash)
}

// knownFrom returns what a history amounts to. turns are those of a document: the versions of a chat tell theirs.
func knownFrom(h *history, turns []uuid.UUID) knownChat {
	k := knownChat{hashes: h.known, turns: turns}
	at := map[uuid.UUID]int{}
	for version, v := range h.versions {
		k.versions = append(k.versions, keyOf(v))
		k.turns = append(k.turns, turnKeys(v)...)
		for i := range v.Messages {
			m := knownMessage{v.Messages[i].ID, v.Messages[i].Hash, version}
			if n, there := at[m.id]; there {
				k.messages[n] = m
				continue
			}
			at[m.id] = len(k.messages)
			k.messages = append(k.messages, m)
		}
	}
	return k
}

// add counts a version, of which other conversations have the messages in shared, and adds it. It reports whether that
// changes anything. What only repeats others is nothing new, and what another file of the import has is counted there.
func (k *knownChat) add(e *entry, shared map[uuid.UUID]bool, seen tally, done *outcome) bool {
	p := e.parsed
	copies := e.copiesIn(shared)
	_, again := seen[p.ID]
	key, newest := k.place(p)
	changed := newest && !k.hashes.Has(p.Hash)
	if p.Source.Chunked() {
		k.hashes = nil
	}
	if !k.hashes.Has(p.Hash) {
		k.hashes = k.hashes.Add(p.Hash)
	}
	k.versions = append(k.versions, key)
	messages := k.addMessages(p.Messages, newest, again, copies)
	is := isUnchanged
	if changed = changed || messages.changed; changed {
		is = isUpdated
	}
	done.count(e, is, seen)
	if !p.Beside {
		done.messages.add(messages.Changes)
		done.olderMessages += messages.older
	}
	e.repeats.messages = messages.repeated
	k.addTurns(e, again, done)
	return changed
}

// place returns the key of a version, and whether it is newer than all that are known. A document or record always is
// as its file is now.
func (k *knownChat) place(p *chat.Parsed) (key versionKey, newest bool) {
	key, newest = keyOf(&p.Conversation), true
	for _, v := range k.versions {
		if p.Source.Chunked() {
			key.updated = max(key.updated, v.updated+1)
		}
		newest = newest && !key.before(v)
	}
	return key, newest
}

// addedMessages counts the messages of a version.
type addedMessages struct {
	Changes
	older    int // of New, those of a version that is not the newest
	repeated int // they are counted elsewhere
	changed  bool
}

// addMessages adds the messages of the version that was added last. newest: it is newer than the others; again: the
// conversation is counted elsewhere; copies: messages that only repeat those of other conversations.
func (k *knownChat) addMessages(
	messages []store.Message, newest, again bool, copies map[uuid.UUID]bool,
) (added addedMessages) {
	at := make(map[uuid.UUID]int, len(k.messages))
	for i := range k.messages {
		at[k.messages[i].id] = i
	}
	version := len(k.versions) - 1
	for i := range messages {
		m := knownMessage{messages[i].ID, messages[i].Hash, version}
		n, there := at[m.id]
		switch {
		case !there:
			k.messages = append(k.messages, m)
			added.New += boolToInt(!copies[m.id])
			added.repeated += boolToInt(copies[m.id])
			added.older += boolToInt(!newest && !copies[m.id])
			added.changed = true
		case k.versions[k.messages[n].version].before(k.versions[version]):
			differs := k.messages[n].hash != m.hash
			added.changed = added.changed || differs
			added.count(differs, again || copies[m.id], &added.repeated)
			k.messages[n] = m
		default:
			added.count(false, again || copies[m.id], &added.repeated)
		}
	}
	return added
}

// count counts a message that is known; again: it is counted elsewhere.
func (c *Changes) count(differs, again bool, repeated *int) {
	switch {
	case again:
		*repeated++
	case differs:
		c.Updated++
	default:
		c.Unchanged++
	}
}

// turnKeys returns the ids of the turns of a version and of its answers, chosen or not, and, of each turn that has an
// answer, one that says so.
func turnKeys(v *store.Conversation) (keys []uuid.UUID) {
	for i := range v.Turns {
		keys = append(keys, v.Turns[i].ID)
	}
	for turn, a := range chat.Answers(v) {
		if turn != a.ID() {
			keys = append(keys, a.ID(), answered(turn))
		}
	}
	return keys
}

func answered(turn uuid.UUID) uuid.UUID { return store.AnswerID(turn, uuid.Nil) }

// addTurns counts the turns that are new, also those whose answer takes the place of another, but no copies.
func (k *knownChat) addTurns(e *entry, again bool, done *outcome) {
	p := e.parsed
	known := make(map[uuid.UUID]bool, len(k.turns))
	for _, id := range k.turns {
		known[id] = true
	}
	answers := chat.Answers(&p.Conversation)
	for i := range p.Turns {
		id := p.Turns[i].ID
		a, has := answers[id]
		fresh := !known[id] || has && !known[a.ID()] && known[answered(id)]
		done.newTurns += boolToInt(fresh && !e.repeats.turns[id])
		if again && !fresh {
			e.repeats.turns[id] = true
		}
	}
	k.turns = append(k.turns, turnKeys(&p.Conversation)...)
}

// last returns the hash of the version that was added last, updated its time. They decide about documents and records.
func (k *knownChat) last() store.Hash { return k.versions[len(k.versions)-1].hash }

func (k *knownChat) updated() time.Time {
	return store.FromMicros(k.versions[len(k.versions)-1].updated)
}
