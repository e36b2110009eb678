package claudecode

// tree links the records of a session. They name their parents, but parallel calls of tools fork, a compaction begins a
// new root, and words typed while a tool runs name no parent: those are not branches. Only where two records with the
// person's own words follow the same record did the person go back; then the last of them goes on.
type tree struct {
	places map[string]place  // of all records, by id
	first  map[string]string // the first record with own words after an anchor
	tip    string            // the last node of the current branch
}

// place says where a record is. Records without a message are in no node, and those of the program no anchor.
type place struct {
	node   string // the node of the record or the nearest one above
	anchor string // the nearest record of the person, the assistant or a tool; empty: none
}

func newTree() tree {
	return tree{places: make(map[string]place), first: make(map[string]string)}
}

func (t *tree) has(id string) bool {
	_, ok := t.places[id]
	return ok
}

// pass takes up a record without a message: others may name it as their parent.
func (t *tree) pass(r *record) {
	if r.id != "" && !t.has(r.id) {
		t.places[r.id] = t.places[r.above()]
	}
}

// above returns the parent that a record names.
func (r *record) above() string {
	if r.parent == "" {
		return r.logicalParent
	}
	return r.parent
}

// link adds a record with a message and returns its parent's node. own: it has the person's own words.
func (t *tree) link(r *record, own bool) (parent string) {
	above := t.places[r.above()]
	if r.sidechain {
		t.places[r.id] = place{r.id, r.id}
		return above.node
	}
	parent = t.tip
	if own {
		if after, forks := t.forkedAt(r, above); forks {
			parent = after
		}
	}
	here := place{r.id, above.anchor}
	if own || r.kind == "assistant" || r.content.result {
		here.anchor = r.id
	}
	t.places[r.id], t.tip = here, r.id
	return parent
}

// forkedAt returns the node that a record and an earlier one of the person both follow.
func (t *tree) forkedAt(r *record, above place) (node string, forks bool) {
	after := above.anchor
	if after == "" {
		after = r.above()
	}
	if after == "" || !t.has(after) {
		return "", false
	}
	if _, forks = t.first[after]; !forks {
		t.first[after] = r.id
		return "", false
	}
	node = t.places[after].node
	return node, node != ""
}
