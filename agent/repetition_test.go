package agent

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// cutAfter returns after how many characters of a text a repetition is found, -1 if it is not.
func cutAfter(text string) int {
	var d repetitionDetector
	n := 0
	for _, r := range text {
		if n++; d.write(string(r)) {
			return n
		}
	}
	return -1
}

const paragraph = "You first wrote about sourdough in the winter, when the starter did not rise. A week later you tried rye " +
	"flour, and asked about the temperature of the kitchen. In spring you baked twice a week, and stopped asking about " +
	"the crust. The last time was in June, before the holidays, when you gave the starter to a neighbor, who asked how " +
	"often it should be fed, and what to do about the smell of vinegar on warm days.\n\n"

func TestRepetition_Loops(t *testing.T) {
	for name, c := range map[string]struct {
		unit string
		most int // characters until it is found
	}{
		"word":          {"bread ", 450},
		"letter":        {"a", 450},
		"sentence":      {"I am not sure what you mean by that. ", 500},
		"long sentence": {paragraph[:120], 650},
		"paragraph":     {paragraph, 4*len(paragraph) + 20},
		"two":           {paragraph + strings.ToUpper(paragraph), 4*2*len(paragraph) + 20},
		"chinese":       {"我不知道你在说什么。", 450},
		"a line":        {"- The user asked about bread.\n", 500},
		"blank lines":   {"\n", 2100},
		"rule":          {"-", 2100},
		"zeros":         {"0, ", 2100},
		"code":          {"```\nprint(1)\n```\n", 4500},
		"open code":     {"\tprintf(\"hello\");\n", 4500},
	} {
		t.Run(name, func(t *testing.T) {
			before := "Let me think about that.\n\n"
			if name == "open code" {
				before = "```c\n"
			}
			at := cutAfter(before + strings.Repeat(c.unit, 1+20_000/len(c.unit)))
			if most := c.most + len(before); at < 0 || at > most {
				t.Errorf("found after %d characters, want at most %d", at, most)
			}
		})
	}
	var numbered strings.Builder
	for n := range 300 {
		fmt.Fprintf(&numbered, "%d. The user asked about bread.\n", n+1)
	}
	if at := cutAfter(numbered.String()); at < 0 || at > 600 {
		t.Errorf("a numbered line: found after %d characters", at)
	}
}

// A loop within a loop does not hide the outer one.
func TestRepetition_NestedLoops(t *testing.T) {
	unit := "It rose " + strings.Repeat("very ", 12) + "slowly. " + strings.Repeat("Bread, ", 8) + "and so on. " + paragraph[:100]
	if at := cutAfter(strings.Repeat(unit, 10)); at < 0 || at > 7*len(unit) {
		t.Errorf("found after %d characters of %d", at, len(unit))
	}
}

func TestRepetition_Excess(t *testing.T) {
	var d repetitionDetector
	const before, unit = "So it was: ", "You baked bread in May. "
	text := before + strings.Repeat(unit, 100)
	n := strings.IndexFunc(text, func(r rune) bool { return d.write(string(r)) }) + 1
	if kept := text[:n-d.excess()]; strings.TrimSpace(kept) != strings.TrimSpace(before+unit) {
		t.Errorf("keeps %q", kept)
	}
}

// regular texts that repeat a lot.
var regular = map[string]string{
	"refrain": strings.Repeat("Row, row, row your boat, gently down the stream.\nMerrily, merrily, merrily, merrily, life is but a dream.\n\n", 3) +
		paragraph + "Row, row, row your boat, gently down the stream.\nMerrily, merrily, merrily, merrily, life is but a dream.\n",
	"song":      "Na na na " + strings.Repeat("na ", 40) + "hey Jude. " + strings.Repeat("la ", 50) + "\n" + strings.Repeat("Yeah, yeah, yeah!\n", 6),
	"table":     "| month | bread | cake |\n" + strings.Repeat("|-------", 40) + "|\n" + rows("| 2021-%02d | – | – |\n", 200),
	"months":    rows("- 2021-%02d: nothing\n", 120),
	"years":     rows("19%02d: no turn speaks of bread\n", 99),
	"tasks":     rows("- [ ] Feed the starter on day %d, and write down how it smells\n", 90),
	"numbered":  rows("%d. Day: feed the starter\n", 8),
	"rule":      strings.Repeat("=", 200) + "\n" + strings.Repeat("─", 120) + "\n",
	"switch":    "```go\n" + rows("\tcase %d:\n\t\treturn nil\n", 150) + "```\n",
	"zeros":     "```c\n" + strings.Repeat("\t0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,\n", 60) + "```\n",
	"braces":    "```json\n" + strings.Repeat("{\"a\": {", 30) + strings.Repeat("}}\n", 30) + "```\n",
	"quotation": strings.Repeat("> Was it the flour? It was not the flour.\n\n", 4),
	"dots":      strings.Repeat(".", 300) + strings.Repeat(" ", 300),
}

func rows(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}

func TestRepetition_RegularText(t *testing.T) {
	for name, text := range regular {
		if at := cutAfter(text); at >= 0 {
			runes := []rune(text)
			t.Errorf("%s: found after %q", name, string(runes[max(0, at-80):at]))
		}
	}
}

// The repository's own documents and source are regular in many ways.
func TestRepetition_RepositoryText(t *testing.T) {
	files := []string{"../README.md", "../CHANGELOG.md", "../ARCHITECTURE.md", "../CONTRIBUTING.md"}
	for _, pattern := range []string{"*.go", "*/*.go", "../retrieval/*.go", "../store/ingest/source/*/*.go", "../cmd/lens/testdata/script/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d repetitionDetector
		if d.write(string(text)) {
			t.Errorf("%s goes in circles", file)
		}
	}
}

// Any unit that repeats is found, soon, however the text is split; any list whose items differ is not.
func TestRepetition_RandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(paragraph)
	sentence := func(n int) string {
		chosen := make([]string, n)
		for i := range chosen {
			chosen[i] = words[random.IntN(len(words))]
		}
		return strings.Join(chosen, " ")
	}
	for range 300 {
		before, unit := sentence(random.IntN(60)), sentence(1+random.IntN(1+random.IntN(200)))+". "
		text := before + "\n\n" + strings.Repeat(unit, 4+2*minRepeated/len(unit))
		at := cutAfter(text)
		if most := len(before) + 2 + len(unit) + max(minRepeated, 4*len(unit)) + 2*gramLength + len(unit); at < 0 || at > most {
			t.Fatalf("found after %d characters, want at most %d: %q", at, most, unit)
		}
		var d repetitionDetector
		pieces := 0
		for rest, done := text, false; rest != "" && !done; pieces++ {
			n := min(1+random.IntN(30), len(rest))
			done = d.write(rest[:n])
			rest = rest[n:]
			if read := len(text) - len(rest); done != (read >= at) {
				t.Fatalf("in pieces: found %t after %d characters, want after %d", done, read, at)
			}
		}
		var list strings.Builder
		for n := range 40 {
			fmt.Fprintf(&list, "- %s: %s\n", sentence(1+random.IntN(4)), unit[:min(30, len(unit))])
			if n%10 == 9 {
				list.WriteString("\n" + unit[:min(100, len(unit))] + "\n\n")
			}
		}
		if at := cutAfter(list.String()); at >= 0 {
			t.Fatalf("found after %d characters of %q", at, list.String())
		}
	}
}

func FuzzRepetition(f *testing.F) {
	for _, text := range slices.Sorted(func(yield func(string) bool) {
		for _, text := range regular {
			if !yield(text) {
				return
			}
		}
	}) {
		f.Add(text, 7)
	}
	f.Add(strings.Repeat("x\xff1.\n", 300), 3)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if !utf8.ValidString(text) || len(text) > 1<<16 {
			return
		}
		var whole, split repetitionDetector
		at = min(max(0, at), len(text))
		for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			at--
		}
		split.write(text[:at])
		if found := whole.write(text); found != split.write(text[at:]) || whole.excess() > utf8.RuneCountInString(text) {
			t.Errorf("found %t as a whole, %d too many", found, whole.excess())
		}
	})
}

func BenchmarkRepetition(b *testing.B) {
	for name, text := range map[string]string{"text": strings.Repeat(paragraph, 2), "loop": strings.Repeat("bread ", 120)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var d repetitionDetector
			for b.Loop() {
				d.write(text)
			}
		})
	}
}
