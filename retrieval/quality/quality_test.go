package quality

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/testenv"
	"lens/retrieval/embed"
	"lens/retrieval/query"
)

var update = flag.Bool("update", false, "rewrite the golden file; needs the model")

// collections are measured one after the other, each with its own archives.
var collections = []struct {
	name  string
	open  func(*testing.T, embed.Embedder) []question
	modes []query.Mode
	parts []part
}{
	{"LoCoMo dev", locomo, modes[:4], []part{{"With a date", question.hasDate}}},
	{"Known item", knownItem, modes[:4], nil},
	{"Cranfield", cranfield, modes, nil},
}

// part is some of the questions of a collection, which are also measured alone.
type part struct {
	name string
	has  func(question) bool
}

// modes are in the order of the table. Those that need a model come after those that need none, and those that need
// records last.
var modes = []query.Mode{plain, query.Keyword, query.Dense, query.Hybrid, denseChunks, hybridChunks}

// TestQuality_Golden makes a change of ranking, of the analyzer or of a model's vectors a diff. No figure may fall
// below what it has to reach. The figures of another model than use-lite are only printed.
func TestQuality_Golden(t *testing.T) {
	testenv.Shared(t, "cranfield")
	if testing.Short() {
		t.Skip("ranking is NOT measured in -short mode")
	}
	model, table := openModel(t), make(map[string]figures)
	for _, c := range collections {
		t.Run(c.name, func(t *testing.T) {
			questions, measurable := c.open(t, model), c.modes
			if model == nil {
				measurable = modes[:2]
			}
			for _, mode := range measurable {
				table[c.name+", "+string(mode)] = measure(t, questions, mode)
				for _, part := range c.parts {
					some := slices.DeleteFunc(slices.Clone(questions), func(q question) bool { return !part.has(q) })
					table[part.name+", "+string(mode)] = measure(t, some, mode)
				}
			}
			if testing.Verbose() { // the intervals take seconds
				logSpeed(t, questions)
				t.Log("\n" + renderIntervals(table, c.name, c.parts, measurable))
			}
			if c.name == "LoCoMo dev" {
				t.Run("confidence", func(t *testing.T) { checkConfidence(t, questions, model) })
			}
		})
	}
	if name := chosenModel(); name == useLite || name == words {
		checkFloors(t, table)
		checkGolden(t, table)
	}
}

func measure(t *testing.T, questions []question, mode query.Mode) figures {
	t.Helper()
	var all figures
	for _, q := range questions {
		started := time.Now()
		listed, err := q.ask(t.Context(), mode)
		if err != nil {
			t.Fatal(err)
		}
		all.took = append(all.took, time.Since(started))
		all.add(listed, q.relevant)
	}
	return all.mean()
}

// logSpeed prints how fast the turns were embedded that questions are about.
func logSpeed(t *testing.T, questions []question) {
	t.Helper()
	var all speed
	for _, a := range archivesOf(questions) {
		all.turns, all.took = all.turns+a.embedded.turns, all.took+a.embedded.took
	}
	if all.turns > 0 {
		t.Logf("%d turns embedded, %.1f a second", all.turns, float64(all.turns)/all.took.Seconds())
	}
}

// archivesOf returns the archives that questions are about, each once.
func archivesOf(questions []question) (archives []*archive) {
	for _, q := range questions {
		if !slices.Contains(archives, q.archive) {
			archives = append(archives, q.archive)
		}
	}
	return archives
}

// checkFloors compares with what plain BM25 and a prototype reached before there was an engine.
func checkFloors(t *testing.T, table map[string]figures) {
	t.Helper()
	for _, floor := range []struct {
		name                  string
		r10, ndcg, reciprocal float64
	}{
		{"LoCoMo dev, BM25", .699, .553, 0},
		{"LoCoMo dev, keyword", .769, .604, 0},
		{"LoCoMo dev, dense", .52, 0, 0}, // 50 turns without a user text have no vector
		{"LoCoMo dev, hybrid", .83, .665, 0},
		{"With a date, keyword", .9, .7, 0},
		{"With a date, hybrid", .93, .73, 0},
		{"Known item, BM25", .956, 0, .84},
		{"Known item, keyword", .956, 0, .841},
		{"Known item, hybrid", .95, 0, .86},
		{"Cranfield, BM25", .445, .516, 0},
		{"Cranfield, keyword", .44, .516, 0},
		{"Cranfield, hybrid", .445, .52, 0},
		{"Cranfield, hybrid chunks", 0, .516, 0},
	} {
		got, measured := table[floor.name]
		if measured && (got.r10 < floor.r10 || got.ndcg < floor.ndcg || got.reciprocal < floor.reciprocal) {
			t.Errorf("%s: got %v, want at least R@10 %.3f, nDCG@10 %.3f, MRR@10 %.3f", floor.name, got, floor.r10, floor.ndcg, floor.reciprocal)
		}
	}
	for _, name := range []string{"LoCoMo dev", "Known item"} {
		words, both := table[name+", keyword"], table[name+", hybrid"]
		one := 1 / float64(max(1, both.questions)) // found by words alone
		if both.questions > 0 && (both.r10 < words.r10-one || both.ndcg < words.ndcg || both.reciprocal < words.reciprocal) {
			t.Errorf("%s: with vectors %v, without %v", name, both, words)
		}
	}
}

// checkGolden compares the measured lines. Lines that were not measured stay as they are in the file.
func checkGolden(t *testing.T, table map[string]figures) {
	t.Helper()
	file := filepath.Join("testdata", "quality.golden")
	golden, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	now := render(table, strings.Split(string(golden), "\n"))
	if *update {
		if err := os.WriteFile(file, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now != string(golden) {
		t.Errorf("quality has changed; if it improved, run with -update. It is\n%sand was\n%s", now, golden)
	}
}

// renderIntervals writes the figures of a collection, three with their 95 % intervals, and the median time of a
// question. That of dense mode, which is the first to need its vector, includes embedding it.
func renderIntervals(table map[string]figures, collection string, parts []part, modes []query.Mode) string {
	lines := []string{fmt.Sprintf("%-25s %9s %7s %7s  %-23s%-23s%-23s%s", "", "questions", "R@1", "R@5", "R@10", "nDCG@10",
		"MRR@10", "p50 in ms")}
	for _, mode := range modes {
		for _, name := range append([]string{collection}, namesOf(parts)...) {
			name += ", " + string(mode)
			f := table[name]
			lines = append(lines, fmt.Sprintf("%-25s %9d %7.4f %7.4f  %s%.2f", name, f.questions, f.r1, f.r5, f.intervals(), f.median()))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func namesOf(parts []part) (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// render writes the table, with lines of an earlier one where nothing was measured.
func render(table map[string]figures, earlier []string) string {
	lines := []string{header}
	add := func(set string, modes []query.Mode) {
		for _, mode := range modes {
			name := set + ", " + string(mode)
			if f, measured := table[name]; measured {
				lines = append(lines, fmt.Sprintf("%-25s %v", name, f))
			} else if i := slices.IndexFunc(earlier, func(line string) bool { return strings.HasPrefix(line, name+" ") }); i >= 0 {
				lines = append(lines, earlier[i])
			}
		}
	}
	for _, c := range collections {
		add(c.name, c.modes)
		for _, part := range c.parts {
			add(part.name, c.modes)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
