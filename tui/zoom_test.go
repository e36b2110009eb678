package tui

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lens/retrieval/timebin"
)

func utc(s string) int64 {
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix()
		}
	}
	panic(s)
}

func days(from, to string) span { return span{utc(from), utc(to)} }

// fiveYears shows an archive of five years in 100 columns, with the cursor at its end.
func fiveYears() zoom { return newZoom(utc("2021-03-05 10:30"), utc("2026-02-10 23:10"), 100) }

func TestSnap_WholeDaysForLongRanges(t *testing.T) {
	typed := span{utc("2024-01-01 15:20"), utc("2024-03-31 15:20")}
	if got, want := fiveYears().snap(typed), days("2024-01-01", "2024-04-01"); got != want {
		t.Errorf("90 days are %v, want %v", got, want)
	}
	typed.to = utc("2024-01-02 15:20")
	if got, want := fiveYears().snap(typed), (span{utc("2024-01-01 15:00"), utc("2024-01-02 16:00")}); got != want {
		t.Errorf("a day is %v, want %v", got, want)
	}
}

func TestZoom(t *testing.T) {
	month := func(z zoom) zoom { z, _ = z.moveTo(10).enter(); return z } // 2022-01
	do := func(ops ...func(zoom) (zoom, string)) func(zoom) (zoom, string) {
		return func(z zoom) (zoom, string) {
			said := ""
			for _, op := range ops {
				z, said = op(z)
			}
			return z, said
		}
	}
	quietly := func(op func(zoom) zoom) func(zoom) (zoom, string) {
		return func(z zoom) (zoom, string) { return op(z), "" }
	}
	for name, c := range map[string]struct {
		from   zoom
		do     func(zoom) (zoom, string)
		want   span
		unit   timebin.Unit
		cursor string
		said   string
	}{
		"initially everything, in whole days": {
			fiveYears(), do(), days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "",
		},
		"enter zooms to the bin under the cursor": {
			fiveYears(), do(quietly(func(z zoom) zoom { return z.moveTo(10) }), zoom.enter),
			days("2022-01-01", "2022-02-01"), timebin.Day, "2022-01-01", "",
		},
		"a bin at the edge of the archive is clipped": {
			fiveYears(), do(quietly(func(z zoom) zoom { return z.moveTo(0) }), zoom.enter),
			days("2021-03-05", "2021-04-01"), timebin.Day, "2021-03-05", "",
		},
		"a brush runs from the anchor to the cursor, either way": {
			fiveYears(), do(quietly(func(z zoom) zoom { return z.moveTo(12).brush().move(-2) }), zoom.enter),
			days("2022-01-01", "2022-04-01"), timebin.Day, "2022-01-01", "",
		},
		"a second v ends the brush": {
			fiveYears(), do(quietly(func(z zoom) zoom { return z.moveTo(12).brush().move(3).brush() }), zoom.enter),
			days("2022-06-01", "2022-07-01"), timebin.Day, "2022-06-01", "",
		},
		"a brush over everything does not zoom": {
			fiveYears(), do(quietly(func(z zoom) zoom { return z.moveTo(0).brush().moveTo(99) }), zoom.enter),
			days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-01", "Already in view (o zooms out)",
		},
		"zooming in halves the window": {
			month(fiveYears()), do(quietly(func(z zoom) zoom { return z.moveTo(15) }), zoomIn),
			days("2022-01-08", "2022-01-24"), timebin.Day, "2022-01-16", "",
		},
		"zooming out doubles the window": {
			month(fiveYears()), do(quietly(func(z zoom) zoom { return z.moveTo(15) }), zoomOut),
			days("2021-12-17", "2022-02-17"), timebin.Day, "2022-01-16", "",
		},
		"zooming out ends at everything": {
			fiveYears(), zoomOut, days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "Can't zoom out further",
		},
		"panning moves by half a window": {
			month(fiveYears()), panOn, days("2022-01-16", "2022-02-16"), timebin.Day, "2022-01-16", "",
		},
		"panning stops at the end of the archive": {
			fiveYears(), panBack, days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "The archive ends here",
		},
		"coarser bins do not move the cursor": {
			month(fiveYears()), zoom.coarser, days("2022-01-01", "2022-02-01"), timebin.Week, "2022-01-01", "",
		},
		"finer bins than columns are refused": {
			month(fiveYears()), zoom.finer, days("2022-01-01", "2022-02-01"), timebin.Day, "2022-01-01",
			"Hourly bins need 744 columns. Zoom in first",
		},
		"chosen bins stay until auto": {
			fiveYears(), do(zoom.coarser, quietly(zoom.auto)), days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			z, said := c.do(c.from)
			if z.span != c.want || z.unit().Unit != c.unit || z.cursor != utc(c.cursor) || said != c.said {
				t.Errorf("got %s..%s by %s, cursor %s, %q", at(z.from), at(z.to), z.unit(), at(z.cursor), said)
			}
			if z.brushes {
				t.Error("a zoom leaves no brush behind")
			}
		})
	}
}

func TestZoom_FromTheWholeArchiveToOneHour(t *testing.T) {
	z := fiveYears()
	var units []timebin.Unit
	for range 10 {
		units = append(units, z.unit().Unit)
		z, _ = z.enter()
	}
	if z.width() != hourLong || !slices.Contains(units, timebin.Day) || units[len(units)-1] != timebin.Hour {
		t.Errorf("ten zooms end at %s..%s, through %v", at(z.from), at(z.to), units)
	}
	if _, said := zoomIn(z); said != "Can't zoom in further" {
		t.Errorf("zooming into an hour said %q", said)
	}
}

func TestZoom_AutoBinsFollowTheColumns(t *testing.T) {
	z := fiveYears()
	z.columns = 25
	if got := z.unit().Unit; got != timebin.Quarter {
		t.Errorf("25 columns show %v", got)
	}
	z, _ = z.coarser()
	z.columns = 3
	if got := z.unit().Unit; got != timebin.Year {
		t.Errorf("years were asked for and there is no room: %v", got)
	}
}

func TestZoom_EmptyRefusesEverything(t *testing.T) {
	var z zoom
	for name, op := range map[string]func(zoom) (zoom, string){
		"enter": zoom.enter, "in": zoomIn, "out": zoomOut, "finer": zoom.finer, "coarser": zoom.coarser, "pan": panOn,
	} {
		if _, said := op(z); said == "" {
			t.Errorf("%s says nothing", name)
		}
	}
	if z.move(1).brush().moveTo(3) != z {
		t.Error("an empty zoom moves")
	}
}

// After any operations the view is inside the archive and in whole hours, the cursor is in view, and bins fit the
// columns.
func TestZoom_Invariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64Range(-40*365*dayLong, 80*365*dayLong).Draw(t, "first")
		last := first + rapid.Int64Range(0, 40*365*dayLong).Draw(t, "length")
		z := newZoom(first, last, rapid.IntRange(1, 200).Draw(t, "columns"))
		step := func(op func(zoom) zoom) func(*rapid.T) {
			return func(*rapid.T) { z = op(z) }
		}
		refusing := func(op func(zoom) (zoom, string)) func(*rapid.T) {
			return func(t *rapid.T) {
				before := z
				next, said := op(z)
				if said != "" && (next.span != before.span || next.bin != before.bin) {
					t.Fatalf("refused with %q and did it", said)
				}
				z = next
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"enter": refusing(zoom.enter), "in": refusing(zoomIn), "out": refusing(zoomOut), "on": refusing(panOn), "back": refusing(panBack),
			"finer": refusing(zoom.finer), "coarser": refusing(zoom.coarser), "all": refusing(wholeArchive),
			"auto": step(zoom.auto), "brush": step(zoom.brush), "idle": step(zoom.idle),
			"move":   func(t *rapid.T) { z = z.move(rapid.IntRange(-300, 300).Draw(t, "by")) },
			"resize": func(t *rapid.T) { z.columns = rapid.IntRange(1, 200).Draw(t, "columns") },
			"": func(t *rapid.T) {
				edges := z.edges()
				fine := z.all.covers(z.span) && z.holds(z.cursor) && z.width() >= hourLong && z.from%hourLong == 0 && z.to%hourLong == 0
				if !fine || len(edges) < 2 || edges[0] > z.from || edges[len(edges)-1] < z.to {
					t.Fatalf("%+v, %d edges", z, len(edges))
				}
				if n := len(edges) - 1; n > z.columns && z.unit().Unit != timebin.Year {
					t.Fatalf("%d bins by %s on %d columns", n, z.unit(), z.columns)
				}
				if from, to, ok := z.brushed(); ok && (from >= to || from < 0 || to >= len(edges)) {
					t.Fatalf("brushed %d..%d of %d", from, to, len(edges)-1)
				}
			},
		})
	})
}
