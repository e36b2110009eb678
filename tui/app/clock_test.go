package app

import (
	"testing"
	"time"
)

func TestLocalTime(t *testing.T) {
	e := newFake(300)
	k := &keeper{}
	opts := Options{
		Archive: over(e), Settings: Settings{Zone: time.FixedZone("XYZ", 14*3600)}, Sessions: k,
	}
	d := drive(opts, 120, 40).search("cancel").keys("2")
	match, _ := d.results.Cursor()
	utc, local := time.Unix(match.At, 0).UTC(), time.Unix(match.At, 0).In(opts.Settings.Zone)
	d.mustShow(t, utc.Format("Mon 2 Jan 2006, 15:04 UTC"), " 28 Feb 2024")
	before := d.timeline.Zoom().Edges()
	d.keys("T z").mustShow(t,
		"Times are local, bins in UTC",
		local.Format("Mon 2 Jan 2006, 15:04 XYZ"),
		" 29 Feb 2024",
		"\n UTC ",
	)
	for i, edge := range d.timeline.Zoom().Edges() {
		if edge != before[i] {
			t.Fatal("the bins have moved")
		}
	}
	d.keys("1 , enter enter").mustShow(t, " UTC  ")
	if !k.last().Local {
		t.Error("it is not kept")
	}
	drive(opts, 120, 40).mustShow(t, "\n UTC ")
	d.keys("T z").mustShow(t, "Times in UTC")
	d.mustNotShow(t, "XYZ", "\n UTC ")
}
