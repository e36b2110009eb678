package ui

import "slices"

// List is a list of which a window is drawn: its rows, the cursor, and the first row in view. Ours, because the list of
// Bubbles has rows of one height. The zero List is empty, and its window unlimited until SetPage.
type List[T any] struct {
	Optional bool              // the cursor may also be before the first row, on none
	Height   func(row int) int // how many lines a row takes, which may depend on the cursor; nil: one

	rows   []T
	cursor int
	top    int
	page   int // how many lines are in view; 0: not known yet
}

// Set replaces the rows. The cursor goes to the first, or before it.
func (l *List[T]) Set(rows []T) {
	l.rows, l.top = rows, 0
	l.MoveTo(-1)
}

// Replace replaces the rows. The cursor stays on the row that is the same, and that on its line if the list was
// scrolled; else it goes to the first row.
func (l *List[T]) Replace(rows []T, same func(was, is T) bool) {
	was, known := l.Chosen()
	line, scrolled := l.lines(l.top, l.cursor), l.top > 0
	l.Set(rows)
	if at := slices.IndexFunc(rows, func(is T) bool { return known && same(was, is) }); at >= 0 {
		l.cursor = at
		if scrolled {
			l.top = at
			for l.top > 0 && l.lines(l.top-1, at) <= line {
				l.top--
			}
		}
		l.follow()
	}
}

// SetPage sets how many lines are in view.
func (l *List[T]) SetPage(lines int) {
	l.page = max(1, lines)
	l.follow()
}

// Rows returns all rows.
func (l *List[T]) Rows() []T { return l.rows }

// Cursor returns the row of the cursor, -1 if it is on none.
func (l *List[T]) Cursor() int {
	if len(l.rows) == 0 {
		return -1
	}
	return l.cursor
}

// Chosen returns the row under the cursor, false for none.
func (l *List[T]) Chosen() (row T, ok bool) {
	if at := l.Cursor(); at >= 0 {
		return l.rows[at], true
	}
	return row, false
}

// Move moves the cursor by n rows, as far as there are any.
func (l *List[T]) Move(n int) { l.MoveTo(l.cursor + n) }

// MoveTo moves the cursor to a row, or to the nearest.
func (l *List[T]) MoveTo(row int) {
	least := 0
	if l.Optional {
		least = -1
	}
	l.cursor = max(least, min(row, len(l.rows)-1))
	l.follow()
}

// Point moves the cursor to the row at a line of the window, and reports whether there is one.
func (l *List[T]) Point(line int) bool {
	rows, first := l.Window()
	for i := range rows {
		if line -= l.height(first + i); line < 0 {
			if -line > l.height(first+i) {
				return false
			}
			l.MoveTo(first + i)
			return true
		}
	}
	return false
}

// Window returns the rows in view, and the index of the first.
func (l *List[T]) Window() (rows []T, first int) {
	if l.page == 0 {
		return l.rows[l.top:], l.top
	}
	end := min(l.top+1, len(l.rows))
	for end < len(l.rows) && l.fit(l.top, end+1) {
		end++
	}
	return l.rows[l.top:end], l.top
}

func (l *List[T]) height(row int) int {
	if l.Height == nil {
		return 1
	}
	return l.Height(row)
}

// lines returns how many lines some rows take, or at least how many fit no window.
func (l *List[T]) lines(from, to int) (n int) {
	for row := from; row < to && n <= max(l.page, 1); row++ {
		n += l.height(row)
	}
	return n
}

// fit reports whether some rows fit the window.
func (l *List[T]) fit(from, to int) bool { return l.lines(from, to) <= l.page }

// follow scrolls as little as keeps the cursor in view and the window full.
func (l *List[T]) follow() {
	if l.page == 0 {
		return
	}
	for l.top = max(0, min(l.top, l.cursor)); l.top > 0 && l.fit(l.top-1, len(l.rows)); {
		l.top--
	}
	for l.top < l.cursor && !l.fit(l.top, l.cursor+1) {
		l.top++
	}
}
