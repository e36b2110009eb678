package histogram_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/internal/chart"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
)

func ExampleChart() {
	c := histogram.Chart{Noun: "matches", Cursor: 2}
	c.Unit = timebin.Bin{Unit: timebin.Month, N: 1}
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	for _, count := range []int{1, 5, 8, 3} {
		end := c.Unit.Next(start)
		c.Bins = append(c.Bins, chart.Bin{Start: start, End: end, Count: count, Baseline: 10})
		start = end
	}
	th := theme.New(theme.ASCII, colorprofile.ASCII)
	fmt.Println(c.Words(c.Cursor, th))
	for _, line := range c.View(40, 2, th) {
		fmt.Println(strings.TrimRight(ansi.Strip(line), " "))
	}
	// Output:
	// Mar 2024: 8 matches
	//    8 +                 ######
	//    0 + ||||||  ||||||  ######  ||||||
	//      +-------------------^-------------
	//        2024    Feb     Mar     Apr
}
