package input

import (
	"strings"
	"testing"

	"lens/internal/errs"
)

// A file that unpacks fourteen times at each level is refused as one that does so at once.
func TestOpen_OneBudgetForAllLevels(t *testing.T) {
	lim := limits{ratio: 20, floor: 1000, total: 1 << 30}
	level1 := gzipped(t, strings.Repeat(noise(1000), 14))
	level2 := gzipped(t, strings.Repeat(level1, 14))
	inZip := func(data string) string { return zipped(t, file{name: "conversations.json", data: data}) }
	for name, data := range map[string]string{
		"gzip":            level2,
		"a zip in gzip":   gzipped(t, strings.Repeat(inZip(strings.Repeat(noise(1000), 14)), 14)),
		"a zip in a tar":  gzipped(t, tarred(t, file{name: "a.zip", data: inZip(strings.Repeat(noise(1000), 40))})),
		"a zip in a zip":  zipped(t, file{name: "a.zip", data: strings.Repeat(inZip(strings.Repeat(noise(1000), 14)), 14)}),
		"a zip in zipped": inZip(strings.Repeat(noise(1000), 25)),
	} {
		if got := opened(t, writeFile(t, "a.json", data), lim); !strings.Contains(got, errs.First(errBomb).Message) {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if got := opened(t, writeFile(t, "a.json", level1), lim); strings.Contains(got, "bomb") {
		t.Errorf("one level: got %s", got)
	}
}

// Finding out what a file in a zip is takes no more than reading it may.
func TestOpen_BudgetForLooking(t *testing.T) {
	small := limits{ratio: 200, floor: 1 << 20, total: 8 << 20}
	bomb := errs.First(errBomb).Message
	chats := file{name: "conversations.json", data: gpt}
	blanks := "[" + strings.Repeat(" ", 700<<10) + "]"
	for name, c := range map[string]struct {
		files []file
		want  string
	}{
		"many files": {
			[]file{chats, {name: "x1.json", data: blanks}, {name: "x2.json", data: blanks}},
			"e.zip/conversations.json, e.zip/x2.json: " + bomb,
		},
		"a database": {
			[]file{chats, {name: "x.db", data: "SQLite format 3\x00" + strings.Repeat("\x00", 3<<20)}},
			"e.zip/conversations.json, e.zip/x.db: " + bomb,
		},
	} {
		if got := opened(t, writeFile(t, "e.zip", zipped(t, c.files...)), small); got != c.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}
