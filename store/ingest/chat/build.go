package chat

import (
	"strings"

	"github.com/google/uuid"

	"lens/store"
)

// Build gives a draft its tree, active path, turns, ids and hashes. d.Nodes is not used afterwards by anybody else.
//
// Kept messages come in Seq order, depth first. An assistant message without text says nothing and is not visible. Turns have
// their texts filled; Ord and Length are left to whoever writes them.
func Build(d *Draft) *Parsed {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	b := &builder{draft: d, hash: h, parsed: &Parsed{Count: d.Count}}
	b.parsed.Count.Nodes = len(d.Nodes)
	b.dropRepeatedNodes()
	b.tree = newTree(d.Nodes, d.Current)
	b.copyFields()
	b.keepMessages()
	b.makeTurns()
	b.setTitle()
	b.hashMessages()
	b.parsed.Hash = b.hash.conversation(&b.parsed.Conversation)
	return b.parsed
}

// builder is what the steps of Build share.
type builder struct {
	draft  *Draft
	tree   *tree
	hash   *hasher
	parsed *Parsed
	kept   []int32      // by node: its index in parsed.Messages, or none
	texts  []store.Hash // by message: hash of its text

	replies []string // assistant texts of the open turn
}

func (b *builder) skip(reason string) { b.parsed.Count.skip(reason, 1) }

func (c *Count) skip(reason string, n int) {
	if c.Skipped == nil {
		c.Skipped = make(map[string]int)
	}
	c.Skipped[reason] += n
}

// Unknown counts a kind of content that Lens does not know.
func (c *Count) Unknown(kind string) {
	if c.UnknownContent == nil {
		c.UnknownContent = make(map[string]int)
	}
	c.UnknownContent[label(kind)]++
}

// dropRepeatedNodes keeps the last node of each id, as a JSON object's members are mostly read.
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

// keepMessages fills Messages. Of two messages with the same id the one on the active path is kept, else the first.
func (b *builder) keepMessages() {
	nodes, ids := b.draft.Nodes, b.assignIDs()
	onPath := make([]bool, len(nodes))
	for _, i := range b.tree.path {
		onPath[i] = true
	}
	b.kept = make([]int32, len(nodes))
	above := make([]uuid.UUID, len(nodes)) // the nearest kept message at or above a node
	b.parsed.Messages = make([]store.Message, 0, len(nodes))
	for _, i := range b.tree.order {
		var parent uuid.UUID
		if p := b.tree.parent[i]; p != none {
			parent = above[p]
		}
		if b.kept[i], above[i] = none, parent; ids[i] == uuid.Nil {
			continue
		}
		b.kept[i], above[i] = int32(len(b.parsed.Messages)), ids[i]
		b.parsed.Messages = append(b.parsed.Messages, b.message(nodes[i].Message, &nodes[i], ids[i], parent, onPath[i]))
	}
	b.parsed.Count.Messages = len(b.parsed.Messages)
}

// assignIDs returns the id of each node's message, uuid.Nil for a node that is dropped, which it counts.
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
		id := messageID(b.draft.ID, exported)
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

// setTitle sets the title: the exported one in one line, else the first line of what the user said first.
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

func (b *builder) hashMessages() {
	for i := range b.parsed.Messages {
		m := &b.parsed.Messages[i]
		m.Hash = b.hash.message(m, b.texts[i])
	}
}
