package bpe

// merge splits a piece into tokens. It begins with single bytes and merges the two neighbors that make the token of
// lowest rank, the leftmost of equals, until no two neighbors make a token. next[i] is where the token that begins at i
// ends.
func (v *Vocabulary) merge(piece string) (next []int32) {
	n := int32(len(piece))
	next, prev := make([]int32, n+1), make([]int32, n+1)
	for i := range n {
		next[i], prev[i] = i+1, i-1
	}
	var pairs queue
	rank := func(i int32) (uint32, bool) { // of the part that begins at i, merged with its neighbor
		if next[i] >= n || next[i] == merged {
			return 0, false
		}
		r, ok := v.ranks[piece[i:next[next[i]]]]
		return r, ok
	}
	push := func(i int32) {
		if r, ok := rank(i); ok {
			pairs.push(uint64(r)<<32 | uint64(i))
		}
	}
	for i := range n {
		push(i)
	}
	for len(pairs) > 0 {
		top := pairs.pop()
		i := int32(top & (1<<32 - 1))
		if r, ok := rank(i); !ok || uint64(r) != top>>32 {
			continue // one of the two has been merged with another
		}
		right := next[i]
		next[i], next[right] = next[right], merged
		prev[next[i]] = i
		push(i)
		if prev[i] >= 0 {
			push(prev[i])
		}
	}
	return next
}

// merged marks a part that belongs to the part before it.
const merged = -1

// queue is a binary heap whose least number comes first.
type queue []uint64

func (q *queue) push(x uint64) {
	*q = append(*q, x)
	h := *q
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func (q *queue) pop() uint64 {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && h[child+1] < h[child] {
			child++
		}
		if h[i] <= h[child] {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return top
}
