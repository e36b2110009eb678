package chart

// Columns spreads bins over the columns of a plot. There may be more bins than columns.
type Columns struct{ Bins, Width int }

// Span returns the columns [from, to) of bin i: none for some bins if there are more bins than columns. For the index
// after the last bin, from is the width.
func (c Columns) Span(i int) (from, to int) {
	return i * c.Width / c.Bins, (i + 1) * c.Width / c.Bins
}

// Middle returns the column in the middle of bin i.
func (c Columns) Middle(i int) int {
	from, to := c.Span(i)
	return (from + max(from, to-1)) / 2
}

// At returns the bin at a column, the last one if bins share it; -1 for none.
func (c Columns) At(column int) int {
	if column < 0 || column >= c.Width || c.Bins == 0 {
		return -1
	}
	return ((column+1)*c.Bins - 1) / c.Width
}

// Highest returns a value for each column: that of its bin, or the highest if bins share the column.
func (c Columns) Highest(values []float64) []float64 {
	out := make([]float64, c.Width)
	for i, v := range values {
		from, to := c.Span(i)
		for x := from; x < max(to, from+1); x++ {
			out[x] = max(out[x], v)
		}
	}
	return out
}
