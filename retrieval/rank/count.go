package rank

// commonShare is the share of turns from which a term is not counted in neighbors: it is in most of them anyway, so
// it says nothing, and it costs most. On LoCoMo and the known items this loses nothing (a fifth to a tenth did
// equally well).
const commonShare = 1.0 / 8

// counts says how often a term occurs in a row, and in the turns before and after it.
type counts struct{ own, neighbors float32 }

// counter counts one term at a time, in rows and their neighbors, and in conversations. The reader of a count
// resets it to zero.
type counter struct {
	columns        *Columns
	gamma          float64
	norms          *lengthNorms
	rows           []counts // by row, and one more for missing neighbors
	inRow          Rows     // the rows with a count
	conversations  []uint32 // by conversation
	inConversation Rows
}

// counter returns a counter for p. release returns it, with all its counts zero again.
func (a *Columns) counter(p Params) *counter {
	a.Prepare()
	c, ok := a.derived.counters.Get().(*counter)
	if !ok {
		n := len(a.Length)
		c = &counter{
			columns: a, rows: make([]counts, n+1), inRow: NewRows(n + 1),
			conversations: make([]uint32, a.Conversations), inConversation: NewRows(a.Conversations),
		}
	}
	c.gamma, c.norms = p.Gamma, a.lengthNorms(p)
	return c
}

func (c *counter) release() { c.columns.derived.counters.Put(c) }

// lengthNorms holds the length norm of each row and conversation for one set of parameters.
type lengthNorms struct {
	params              Params
	rows, conversations []float64
}

// lengthNorms returns the norms for p, from the last query where its parameters were the same. The length of a row
// is its number of terms plus γ times those of its neighbors.
func (a *Columns) lengthNorms(p Params) *lengthNorms {
	if d := a.derived.norms.Load(); d != nil && d.params == p {
		return d
	}
	d := &lengthNorms{params: p, rows: make([]float64, len(a.Length)), conversations: make([]float64, a.Conversations)}
	average := mean(float64(a.TotalLength)+p.Gamma*float64(a.derived.totalNeighborLength), len(a.Length))
	for row, length := range a.Length {
		d.rows[row] = p.lengthNorm(float64(length)+p.Gamma*float64(a.derived.neighborLength[row]), average)
	}
	average = mean(float64(a.TotalLength), a.Conversations)
	for conversation, length := range a.derived.conversationLength {
		d.conversations[conversation] = p.lengthNorm(length, average)
	}
	a.derived.norms.Store(d)
	return d
}

// countsNeighbors reports whether a term also counts in the neighbors of its rows.
func (c *counter) countsNeighbors(list PostingList) bool {
	return c.gamma > 0 && float64(len(list.Rows)) <= commonShare*float64(len(c.columns.Length))
}

// count counts a term in rows and their neighbors, and puts those into inRow.
func (c *counter) count(list PostingList) {
	none := int32(len(c.rows) - 1)
	for i, row := range list.Rows {
		n := float32(list.Counts[i])
		prev, next := orElse(c.columns.Prev[row], none), orElse(c.columns.Next[row], none)
		c.rows[row].own = n
		c.rows[prev].neighbors += n
		c.rows[next].neighbors += n
		c.inRow.Add(row)
		c.inRow.Add(prev)
		c.inRow.Add(next)
	}
	c.rows[none] = counts{}
	c.inRow.Remove(none)
}

// countConversations counts a term in conversations, and puts those into inConversation.
func (c *counter) countConversations(list PostingList) {
	for i, row := range list.Rows {
		conversation := c.columns.Conversation[row]
		c.conversations[conversation] += list.Counts[i]
		c.inConversation.Add(conversation)
	}
}

// orElse returns row, or none for -1, without a branch: no processor can predict which turns have neighbors.
func orElse(row, none int32) int32 { return row + row>>31&(none+1) }
