package simd

// blockK is the number of steps of the inner dimension in a block. A panel of the right-hand side (32 columns of 384
// floats: 48 KiB) then stays in the nearest caches while all rows are multiplied with it.
const blockK = 384

// Matrix is the right-hand side of products, with k rows and n columns, packed once so that a product reads it
// sequentially. It is safe for concurrent use, as are products with different results and different scratch.
type Matrix struct {
	k, n   int
	panel  int       // columns in a panel: the width of a tile
	packed []float32 // blocks of blockK rows, each made of panels, each made of rows
}

// Scratch holds a product's temporary memory. The zero value is ready. Reuse it to avoid allocations.
type Scratch struct {
	rows []float32
	tile []float32
}

// NewMatrix packs the row-major matrix b: b[i*n+j] is row i, column j.
func NewMatrix(b []float32, k, n int) *Matrix {
	m := &Matrix{}
	m.Pack(b, k, n, n, 1)
	return m
}

// NewTransposed packs the column-major matrix b: b[j*k+i] is row i, column j. Most weights are stored this way.
func NewTransposed(b []float32, k, n int) *Matrix {
	m := &Matrix{}
	m.Pack(b, k, n, 1, k)
	return m
}

// Pack sets m to the k by n matrix with b[i*rowStride+j*columnStride] at row i, column j. It reuses m's memory.
func (m *Matrix) Pack(b []float32, k, n, rowStride, columnStride int) {
	_, m.panel = tileSize()
	m.k, m.n = k, n
	panels := (n + m.panel - 1) / m.panel
	m.packed = resize(m.packed, k*panels*m.panel)
	at := 0
	for k0 := 0; k0 < k; k0 += blockK {
		k1 := min(k0+blockK, k)
		for j0 := 0; j0 < n; j0 += m.panel {
			width := min(m.panel, n-j0)
			for i := k0; i < k1; i++ {
				out := m.packed[at : at+m.panel]
				packRow(out, b[i*rowStride+j0*columnStride:], width, columnStride)
				at += m.panel
			}
		}
	}
}

func packRow(out, row []float32, width, stride int) {
	if stride == 1 {
		copy(out[:width], row)
	} else {
		for j := range width {
			out[j] = row[j*stride]
		}
	}
	clear(out[width:])
}

// MulAdd adds the product of a and m to c. a has rows rows of k values, lda apart; c has rows rows of n values, ldc
// apart.
func (m *Matrix) MulAdd(c []float32, ldc int, a []float32, lda, rows int, s *Scratch) {
	height, _ := tileSize()
	s.tile = resize(s.tile, height*m.panel)
	at := 0
	for k0 := 0; k0 < m.k; k0 += blockK {
		steps := min(blockK, m.k-k0)
		s.packRows(a[k0:], lda, rows, steps, height)
		for j0 := 0; j0 < m.n; j0 += m.panel {
			panel := m.packed[at : at+steps*m.panel]
			at += len(panel)
			m.mulPanel(c, ldc, j0, rows, panel, steps, height, s)
		}
	}
}

// packRows stores the rows of a in panels of height rows, step by step. It pads the last panel with zeros.
func (s *Scratch) packRows(a []float32, lda, rows, steps, height int) {
	panels := (rows + height - 1) / height
	s.rows = resize(s.rows, panels*height*steps)
	for p := range panels {
		out := s.rows[p*height*steps : (p+1)*height*steps]
		left := min(height, rows-p*height)
		if left < height {
			clear(out)
		}
		r := 0
		for ; r+4 <= left; r += 4 {
			packFour(out[r:], height, a[(p*height+r)*lda:], lda, steps)
		}
		for ; r < left; r++ {
			for q, x := range a[(p*height+r)*lda:][:steps] {
				out[q*height+r] = x
			}
		}
	}
}

// packFour stores four rows of a in out: four values every height.
func packFour(out []float32, height int, a []float32, lda, steps int) {
	r0, r1, r2, r3 := a[:steps], a[lda:][:steps], a[2*lda:][:steps], a[3*lda:][:steps]
	for q, x := range r0 {
		to := out[q*height:][:4]
		to[0], to[1], to[2], to[3] = x, r1[q], r2[q], r3[q]
	}
}

// mulPanel multiplies all rows with one panel of m, which starts at column j0.
func (m *Matrix) mulPanel(c []float32, ldc, j0, rows int, panel []float32, steps, height int, s *Scratch) {
	whole := j0+m.panel <= m.n
	for i0 := 0; i0 < rows; i0 += height {
		left := s.rows[i0*steps : (i0+height)*steps]
		if whole && i0+height <= rows {
			tile(c[i0*ldc+j0:], ldc, left, panel, steps)
			continue
		}
		clear(s.tile)
		tile(s.tile, m.panel, left, panel, steps)
		addTile(c[i0*ldc+j0:], ldc, s.tile, m.panel, min(height, rows-i0), min(m.panel, m.n-j0))
	}
}

// addTile adds the upper left rows and columns of a tile to c.
func addTile(c []float32, ldc int, t []float32, ldt, rows, columns int) {
	for i := range rows {
		to := c[i*ldc : i*ldc+columns]
		for j, x := range t[i*ldt : i*ldt+columns] {
			to[j] += x
		}
	}
}

func resize(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
