package sqlite

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"lens/store"
)

// Messages implements store.Reader.
func (s *Store) Messages(ctx context.Context, conversation uuid.UUID) (messages []store.Message, err error) {
	err = s.read(ctx, "messages", func(c *conn) error {
		return c.each("Messages", []any{conversation}, func(r row) error {
			m, err := r.message()
			messages = append(messages, m)
			return err
		})
	})
	return messages, err
}

// message reads the columns of Messages.
func (r row) message() (store.Message, error) {
	text, raw, err := unpack(r.ColumnRawBlob(13))
	return store.Message{
		ID: r.id(0), SourceID: r.ColumnText(1), Parent: r.id(2), Seq: r.ColumnInt(3), Role: store.Role(r.ColumnText(4)),
		ContentType: r.ColumnText(5), Text: text, Summary: r.ColumnText(6), Model: r.ColumnText(7), Time: r.time(8),
		Visible: r.ColumnBool(9), OnPath: r.ColumnBool(10), Turn: r.id(11), Raw: raw, Hash: r.hash(12),
	}, err
}

// MessageStates implements store.Tx.
func (t *tx) MessageStates(_ context.Context, conversations []uuid.UUID) (map[uuid.UUID]store.MessageState, error) {
	if err := t.writeMessages(0); err != nil {
		return nil, err
	}
	states := make(map[uuid.UUID]store.MessageState)
	for _, id := range conversations {
		err := t.each("MessageStates", []any{id}, func(r row) error {
			states[r.id(0)] = store.MessageState{Conversation: id, Hash: r.hash(1)}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return states, nil
}

// MessageOwners implements store.Reader.
func (s *Store) MessageOwners(ctx context.Context, ids []uuid.UUID) (owners map[uuid.UUID]uuid.UUID, err error) {
	err = s.read(ctx, "message owners", func(c *conn) error {
		owners, err = c.messageOwners(ids)
		return err
	})
	return owners, err
}

// MessageOwners implements store.Tx.
func (t *tx) MessageOwners(_ context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	ids, err := t.mayBeStored(ids)
	if err != nil || len(ids) == 0 {
		return map[uuid.UUID]uuid.UUID{}, err
	}
	if err := t.writeMessages(0); err != nil {
		return nil, err
	}
	return t.messageOwners(ids)
}

func (c *conn) messageOwners(ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	owners := make(map[uuid.UUID]uuid.UUID)
	for _, id := range ids {
		err := c.each("MessageOwner", []any{id}, func(r row) error {
			owners[id] = r.id(0)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return owners, nil
}

// maxPackingBytes limits the text and raw JSON that is being packed in the background; a single
// conversation may exceed it.
const maxPackingBytes = 2 << 20

// PutMessages implements store.Tx. It packs bodies in the background. Rows are written when their
// bodies are ready: at the end of the transaction or before it reads messages, at the latest.
func (t *tx) PutMessages(_ context.Context, conversation uuid.UUID, messages []store.Message) error {
	number, err := t.numberOf(conversation)
	if err != nil {
		return err
	}
	p := packingMessages{conversation: number, messages: messages, bodies: make(chan [][]byte, 1)}
	for i := range messages {
		p.bytes += len(messages[i].Text) + len(messages[i].Raw)
		t.known.add(messages[i].ID)
	}
	if t.pack == nil {
		all := make(chan packingMessages, packingAhead)
		go packAll(all, t.forAll)
		t.pack = all
	}
	t.pack <- p
	t.packing = append(t.packing, p)
	t.packingBytes += p.bytes
	return t.writeMessages(maxPackingBytes)
}

// packingMessages are the messages of a conversation whose bodies another goroutine packs.
type packingMessages struct {
	conversation int64 // number of the conversation
	messages     []store.Message
	bytes        int           // of their text and raw JSON
	bodies       chan [][]byte // for one send
}

// packingAhead is how many conversations wait for packAll before PutMessages does.
const packingAhead = 64

// packAll packs the bodies of messages until there are no more. One goroutine does so for a whole transaction: packing
// takes a stack of more than 64 KB, which a new goroutine would have to grow, again for each conversation.
// forAll: so that every Lens can read them.
func packAll(all <-chan packingMessages, forAll bool) {
	pack := packers.Get().(*packer)
	defer packers.Put(pack)
	how := pack.pack
	if forAll {
		how = pack.packForAll
	}
	for p := range all {
		bodies := make([][]byte, len(p.messages))
		for i := range p.messages {
			bodies[i] = how(p.messages[i].Text, p.messages[i].Raw)
		}
		p.bodies <- bodies
	}
}

var packers = sync.Pool{New: func() any { return new(packer) }}

// writeMessages writes the messages of PutMessages in order, until at most left bytes remain.
func (t *tx) writeMessages(left int) error {
	for len(t.packing) > 0 && (left == 0 || t.packingBytes > left) {
		p := t.packing[0]
		t.packing[0], t.packing = packingMessages{}, t.packing[1:]
		t.packingBytes -= p.bytes
		bodies := <-p.bodies
		for i := range p.messages {
			if err := t.putMessage(messageRow{p.conversation, &p.messages[i], bodies[i]}); err != nil {
				return err
			}
		}
		if p.bytes > maxPackingBytes { // its memory must not wait for other messages
			left = 0
		}
	}
	if left > 0 {
		return nil
	}
	return t.putEach()
}

// endPacking waits until nothing reads the messages of PutMessages any more.
func (t *tx) endPacking() {
	for _, p := range t.packing {
		<-p.bodies
	}
	if t.pack != nil {
		close(t.pack)
	}
}
