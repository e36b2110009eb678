package chat

import (
	"cmp"
	"strings"

	"github.com/google/uuid"

	"lens/store"
)

// Build makes a conversation of a draft: tree, active path, turns, ids and hashes. The caller must not use d.Nodes
// afterwards.
//
// Messages are in order of Seq, depth first. An assistant message without text is not visible. Turns have their texts,
// but neither Ord nor Length: the writer sets those.
func Build(d *Draft) *Parsed {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	b := &builder{draft: d, hash: h, parsed: &Parsed{Count: d.Count, Beside: d.Beside}}
	b.parsed.Count.Nodes = len(d.Nodes)
	b.dropRepeatedNodes()
	b.tree = newTree(d.Nodes, d.Current)
	b.copyFields()
	b.keepMessages()
	turns := newTurnMaker(&b.parsed.Conversation, b.above, h)
	turns.make()
	b.setTitle()
	turns.hashMessages()
	b.parsed.Hash = b.hash.conversation(&b.parsed.Conversation)
	if d.Derive != nil {
		b.parsed.Derived = d.Derive(&b.parsed.Conversation)
		b.parsed.Hash = b.hash.derived(b.parsed.Hash, b.parsed.Derived)
	}
	return b.parsed
}

// builder is the state that the steps of Build share.
type builder struct {
	draft  *Draft
	tree   *tree
	hash   *hasher
	parsed *Parsed
	above  []int32 // for each of parsed.Messages, the index of its parent, or none
}

func (b *builder) skip(reason string) { b.parsed.Count.skip(reason, 1) }

func (c *Count) skip(reason string, n int) {
	if c.Skipped == nil {
		c.Skipped = make(map[string]int)
	}
	c.Skipped[reason] += n
}

// Unknown counts content of an unknown type.
func (c *Count) Unknown(kind string) {
	if c.UnknownContent == nil {
		c.UnknownContent = make(map[string]int)
	}
	c.UnknownContent[cmp.Or(label(kind), "content without a type")]++
}

// dropRepeatedNodes keeps the last node with each id, as most JSON decoders do with repeated members.
func (b *builder) dropRepeatedNodes() {
	last := make(map[string]int, len(b.draft.Nodes))
	for i := range b.draft.Nodes {
		last[b.draft.Nodes[i].ID] = i
	}
	if len(last) == len(b.draft.Nodes) {
		return
	}
	nodes := make([]Node, 0, len(last))
	for i := range b.draft.Nodes {
		if last[b.draft.Nodes[i].ID] != i {
			b.skip("duplicate node id")
			continue
		}
		nodes = append(nodes, b.draft.Nodes[i])
	}
	b.draft.Nodes = nodes
}

func (b *builder) copyFields() {
	d, p := b.draft, b.parsed
	p.ID, p.SourceID, p.Source = conversationID(d.ID), label(d.ID), d.Source
	p.Created, p.Updated, p.Model = d.Created, d.Updated, label(d.Model)
}

// keepMessages fills Messages. Of two messages with the same id it keeps the one on the active path, else the first.
func (b *builder) keepMessages() {
	nodes, ids := b.draft.Nodes, b.assignIDs()
	onPath := make([]bool, len(nodes))
	for _, i := range b.tree.path {
		onPath[i] = true
	}
	nearest := make([]int32, len(nodes)) // for each node, the nearest kept message at or above it
	b.above = make([]int32, 0, len(nodes))
	b.parsed.Messages = make([]store.Message, 0, len(nodes))
	for _, i := range b.tree.order {
		above, parent := none, uuid.Nil
		if p := b.tree.parent[i]; p != none {
			above = nearest[p]
		}
		if nearest[i] = above; ids[i] == uuid.Nil {
			continue
		}
		if above != none {
			parent = b.parsed.Messages[above].ID
		}
		nearest[i], b.above = int32(len(b.parsed.Messages)), append(b.above, above)
		b.parsed.Messages = append(b.parsed.Messages, b.message(nodes[i].Message, &nodes[i], ids[i], parent, onPath[i]))
	}
	b.parsed.Count.Messages = len(b.parsed.Messages)
}

// assignIDs returns the id of each node's message. It returns uuid.Nil for nodes that are dropped, and counts them.
func (b *builder) assignIDs() []uuid.UUID {
	nodes := b.draft.Nodes
	ids := make([]uuid.UUID, len(nodes))
	seen := make([]bool, len(nodes))
	claimed := make(map[uuid.UUID]bool, len(nodes))
	claim := func(i int32) {
		if seen[i] {
			return
		}
		seen[i] = true
		n := &nodes[i]
		if n.Message == nil {
			b.skip(dropReason(n))
			return
		}
		exported := n.Message.ID
		if exported == "" {
			exported = n.ID
		}
		id := MessageID(b.draft.ID, exported)
		if claimed[id] {
			b.skip("duplicate message id")
			return
		}
		claimed[id], ids[i] = true, id
	}
	for _, i := range b.tree.path {
		claim(i)
	}
	for _, i := range b.tree.order {
		claim(i)
	}
	return ids
}

func dropReason(n *Node) string {
	if n.Dropped != "" {
		return n.Dropped
	}
	return "no message"
}

func (b *builder) message(m *Message, n *Node, id, parent uuid.UUID, onPath bool) store.Message {
	exported := m.ID
	if exported == "" {
		exported = n.ID
	}
	text, wasCut := cut(Tidy(m.Text), MaxText)
	summary, alsoCut := cut(Tidy(m.Summary), MaxText)
	raw, tooLong := keepRaw(m.Raw, MaxRaw)
	for _, short := range []bool{wasCut, alsoCut, tooLong} {
		if short {
			b.parsed.Count.Truncated++
		}
	}
	return store.Message{
		ID: id, SourceID: label(exported), Parent: parent, Seq: len(b.parsed.Messages),
		Role: m.Role, ContentType: label(m.ContentType), Text: text, Summary: summary, Model: label(m.Model),
		Time: m.Time, Visible: m.Visible && (m.Role != store.Assistant || text != ""), OnPath: onPath, Raw: raw,
	}
}

// setTitle sets the title: the exported one in one line, else the first line of the first user message.
func (b *builder) setTitle() {
	title, wasCut := cut(Tidy(b.draft.Title), MaxTitle)
	if wasCut {
		b.parsed.Count.Truncated++
	}
	title = strings.Join(strings.Fields(title), " ")
	for i := 0; title == "" && i < len(b.parsed.Turns); i++ {
		title = firstLine(b.parsed.Turns[i].UserText)
	}
	b.parsed.Title = title
}
