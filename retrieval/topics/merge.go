package topics

import (
	"cmp"
	"math"
	"slices"
)

// minAlike is the share of what the conversations of a group have in common, from which on they have it with those of
// another one that is about the same thing. Two people who talk to the same third one have less.
const minAlike = 1.0 / 3

// merge joins groups that are about the same thing, then others until at most MaxTopics are left, each time the two
// that lose least by it:
//
//	|a| + |b| − |a + b|
//
// where a and b are the sums of the unit vectors of their conversations, so that the length of a sum is how well its
// conversations agree. It returns the group of each conversation, numbered by descending size; -1 for none.
func merge(vectors []vector, groups []int32, terms int) []int32 {
	products, n := groupProducts(vectors, groups, terms)
	into := make([]int, n) // by group: the one that it was merged into
	alive := make([]int, n)
	for i := range into {
		into[i], alive[i] = i, i
	}
	sizes := make([]float64, n)
	for _, group := range groups {
		if group >= 0 {
			sizes[group]++
		}
	}
	join := func(a, b int) {
		for _, k := range alive {
			products[a][k] += products[b][k]
		}
		for _, k := range alive {
			products[k][a] += products[k][b]
		}
		sizes[a] += sizes[b]
		into[b] = a
		alive = slices.DeleteFunc(alive, func(k int) bool { return k == b })
	}
	for a, b, found := alike(products, sizes, alive); found; a, b, found = alike(products, sizes, alive) {
		join(a, b)
	}
	for len(alive) > MaxTopics {
		join(cheapest(products, alive))
	}
	merged := make([]int32, len(groups))
	for c, group := range groups {
		if group < 0 {
			merged[c] = -1
			continue
		}
		g := int(group)
		for into[g] != g {
			g = into[g]
		}
		merged[c] = int32(g)
	}
	return bySize(merged, n)
}

// alike returns the two groups about the same thing that are most alike by the mean cosine of their conversations;
// false if there are none.
func alike(products [][]float64, sizes []float64, alive []int) (a, b int, found bool) {
	common := func(x int) float64 { return (products[x][x] - sizes[x]) / (sizes[x] * max(1, sizes[x]-1)) }
	most := minGathered
	for i, x := range alive {
		for _, y := range alive[:i] {
			mean := products[x][y] / (sizes[x] * sizes[y])
			if mean >= most && mean >= minAlike*min(common(x), common(y)) {
				a, b, most, found = y, x, mean, true
			}
		}
	}
	return a, b, found
}

// cheapest returns the two groups that lose least when they are merged.
func cheapest(products [][]float64, alive []int) (a, b int) {
	least := math.Inf(1)
	for i, x := range alive {
		for _, y := range alive[:i] {
			xx, yy, xy := products[x][x], products[y][y], products[x][y]
			if loss := math.Sqrt(xx) + math.Sqrt(yy) - math.Sqrt(xx+yy+2*xy); loss < least {
				least, a, b = loss, y, x
			}
		}
	}
	return a, b
}

// groupProducts returns the products of the sums of the vectors of each two groups, and how many groups there are.
func groupProducts(vectors []vector, groups []int32, terms int) ([][]float64, int) {
	n := int(slices.Max(groups)) + 1
	members := make([][]int32, n)
	for c, group := range groups {
		if group >= 0 {
			members[group] = append(members[group], int32(c))
		}
	}
	sums, dense := make([]vector, n), make([]float32, terms)
	for g := range sums {
		sums[g] = sumOf(vectors, members[g], dense)
	}
	lists := invert(sums, terms)
	products := make([][]float64, n)
	for g, sum := range sums {
		products[g] = make([]float64, n)
		for _, w := range sum {
			for _, other := range lists[w.term] {
				products[g][other.term] += float64(w.weight) * float64(other.weight)
			}
		}
	}
	return products, n
}

// sumOf adds up vectors, by ascending term. dense holds zeros, one for each term, and does afterwards.
func sumOf(vectors []vector, members []int32, dense []float32) vector {
	var sum vector
	for _, c := range members {
		for _, w := range vectors[c] {
			if dense[w.term] == 0 {
				sum = append(sum, weighted{term: w.term})
			}
			dense[w.term] += w.weight
		}
	}
	slices.SortFunc(sum, func(x, y weighted) int { return int(x.term - y.term) })
	for i := range sum {
		sum[i].weight, dense[sum[i].term] = dense[sum[i].term], 0
	}
	return sum
}

// spread writes the weights of v into dense, by term; sweep sets them back to 0.
func (v vector) spread(dense []float32) {
	for _, w := range v {
		dense[w.term] = w.weight
	}
}

func (v vector) sweep(dense []float32) {
	for _, w := range v {
		dense[w.term] = 0
	}
}

// times returns the product of v and the vector that dense holds.
func (v vector) times(dense []float32) float64 {
	product := 0.0
	for _, w := range v {
		product += float64(w.weight) * float64(dense[w.term])
	}
	return product
}

// bySize numbers groups, of which there are at most n, from the largest to the smallest.
func bySize(groups []int32, n int) []int32 {
	sizes, order := make([]int, n), make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	for _, group := range groups {
		if group >= 0 {
			sizes[group]++
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(sizes[b], sizes[a]) })
	number := make([]int32, n)
	for i, group := range order {
		number[group] = int32(i)
	}
	for c, group := range groups {
		if group >= 0 {
			groups[c] = number[group]
		}
	}
	return groups
}
