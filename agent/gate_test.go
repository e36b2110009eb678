package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	firstID  = "3f2ab81c-0000-5000-8000-000000000001"
	secondID = "9b1dc0de-0000-5000-8000-000000000002"
	otherID  = "deadbeef-0000-5000-8000-000000000003"
	saidID   = "cafecafe-0000-4000-8000-000000000004"
)

func someTurns() []*Turn {
	day := time.Date(2024, 5, 14, 9, 31, 0, 0, time.UTC)
	return []*Turn{
		{ID: firstID, Title: "Starter", Time: &day, User: "Why does my starter smell of acetone?", Assistant: "It is hungry. Feed it twice\na day and keep it warm."},
		{ID: secondID, Title: "Account", User: "My account is " + saidID + ".", Assistant: "Noted: the “second” turn says something else entirely."},
	}
}

func TestTheGate(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		cited          []int
		removed        []string
	}{
		{"passes what was read", "Feed it [1].", "Feed it [1].", []int{1}, nil},
		{"removes what was not", "Feed it [1][7], says [3].", "Feed it [1], says .", []int{1}, []string{"[7]", "[3]"}},
		{"takes lists and stretches apart", "Both [2, 1] and [1-2; 9].", "Both [2][1] and [1][2].", []int{2, 1}, []string{"[9]"}},
		{"knows other brackets", "So 【1】 and 【2†source】 and [^1].", "So [1] and [2] and [1].", []int{1, 2}, nil},
		{"turns ids into numbers", "See [" + firstID + "] and [turn 9b1dc0de].", "See [1] and [2].", []int{1, 2}, nil},
		{"removes ids in brackets", "See [" + otherID + "].", "See .", nil, []string{"[" + otherID + "]"}},
		{"removes ids in the text", "See " + otherID + ", `" + otherID + "`.", "See (unread), `(unread)`.", nil, []string{otherID, otherID}},
		{"keeps ids that were read", firstID + " and " + saidID, firstID + " and " + saidID, nil, nil},
		{"keeps what only looks like one", "x" + otherID + " and " + otherID + "0 and deadbeef-0000", "x" + otherID + " and " + otherID + "0 and deadbeef-0000", nil, nil},
		{"leaves years, dates and boxes", "[2024] [2024-05-14] [ ] [x] [see] []", "[2024] [2024-05-14] [ ] [x] [see] []", nil, nil},
		{"leaves code alone", "`a[7]` and\n```go\nb[9]\n```\nbut not [7]", "`a[7]` and\n```go\nb[9]\n```\nbut not ", nil, []string{"[7]"}},
		{"is not fooled by a stray backtick", "a ` b\n\n[7]", "a ` b\n\n", nil, []string{"[7]"}},
		{"defuses images", "![x](https://evil.example/?k=v) Great![1]", "! [x](https://evil.example/?k=v) Great! [1]", []int{1}, nil},
		{"lets no citation be a link", "[1](https://evil.example) [1][x]\n[1]: https://evil.example", "[1] (https://evil.example) [1] [x]\n[1] : https://evil.example", []int{1}, nil},
		{"lets nothing grow together", "[[7]7] [1[9]2] !【9】[x](y) deadbeef-[9]0000", "[ 7] [1 2] ! [x](y) deadbeef- 0000", nil, []string{"[7]", "[9]", "[9]", "[9]"}},
		{"lets a colon follow", "So [1]: fine", "So [1]: fine", []int{1}, nil},
		{"ends inside brackets", "So [1", "So [1", nil, nil},
		{"keeps other languages", "日本語[1]、テスト 【注】", "日本語[1]、テスト 【注】", []int{1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, verdict := Check(c.in, someTurns())
			if got != c.want || !slices.Equal(verdict.Cited, c.cited) || !slices.Equal(verdict.Removed, c.removed) {
				t.Errorf("got  %q\nwant %q\nverdict %+v", got, c.want, verdict)
			}
		})
	}
}

func TestQuotationsAreHeldAgainstTheTurnsBesideThem(t *testing.T) {
	for _, c := range []struct{ name, in, want, quotes string }{
		{"verbatim, white space folded", `It said "Feed it twice a day and keep it warm." [1]`, `It said "Feed it twice a day and keep it warm." [1]`, "1 true"},
		{"changed", `It said "Feed it three times a day" [1].`, `It said "Feed it three times a day" [1] (not verbatim).`, "1 false"},
		{"of another turn", `It said "Feed it twice a day" [2].`, `It said "Feed it twice a day" [2] (not verbatim).`, "2 false"},
		{"one of several citations", `It said “Feed it twice a day” [2] [1], so.`, `It said “Feed it twice a day” [2] [1], so.`, "1 true"},
		{"cited before", `In [1] it said "Feed it twice a day".` + "\n\nThen", `In [1] it said "Feed it twice a day".` + "\n\nThen", "1 true"},
		{"cited before, another after", `In [1]: "Feed it twice a day", and [2] agrees.`, `In [1]: "Feed it twice a day", and [2] agrees.`, "1 true"},
		{"not cited at all", `Feed it: "Feed it twice a day" is right.`, `Feed it: "Feed it twice a day" is right.`, "1 true"},
		{"not cited and invented", "\"Never feed it again, ever\" is right.\n\nBye [1]", "\"Never feed it again, ever\" is right.\n (not verbatim)\nBye [1]", "0 false"},
		{"something left out", `"Feed it … keep it warm" [1]`, `"Feed it … keep it warm" [1]`, "1 true"},
		{"left out in the wrong order", `"keep it warm … Feed it" [1]`, `"keep it warm … Feed it" [1] (not verbatim)`, "1 false"},
		{"without what was bold", `"and **keep it warm** at once" [1], "Feed it twice a day and **keep** it" [1]`, `"and **keep it warm** at once" [1] (not verbatim), "Feed it twice a day and **keep** it" [1]`, "1 false, 1 true"},
		{"marks of another shape", `"the "second" turn says" [2]`, `"the "second" turn says" [2]`, ""},
		{"a word in marks", `an "agentic" thing [1]`, `an "agentic" thing [1]`, ""},
		{"a block", "> It is hungry. Feed it\n> twice a day\n\nSo [1].", "> It is hungry. Feed it\n> twice a day\n\nSo [1].", "1 true"},
		{"a block that differs", "> It is angry. Feed it\n> — you [1]\n\nSo.", "> It is angry. Feed it\n> — you [1]\n\nSo. (not verbatim)", "1 false"},
		{"an inch", `a 5" pan and a 9" pan of dough rising [1]`, `a 5" pan and a 9" pan of dough rising [1]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, verdict := Check(c.in, someTurns())
			var quotes []string
			for _, q := range verdict.Quotes {
				quotes = append(quotes, fmt.Sprint(q.N, " ", q.Verbatim))
			}
			if got != c.want || strings.Join(quotes, ", ") != c.quotes {
				t.Errorf("got  %q\nwant %q\nquotes %v, want %s", got, c.want, verdict.Quotes, c.quotes)
			}
		})
	}
}

func TestTheGateLagsBehindByOneCitationAtMost(t *testing.T) {
	g := NewGate(someTurns())
	for _, c := range []struct{ in, out string }{
		{"So ", "So "}, {"[", ""}, {"1", ""}, {"]", "[1]"}, {" ", ""}, {"and", " and"}, {" [my", " [my"}, {" dead", " "}, {" end", "dead end"},
	} {
		if got := g.Write(c.in); got != c.out {
			t.Errorf("after %q came %q, want %q", c.in, got, c.out)
		}
	}
}

var (
	numberMark = regexp.MustCompile(`\[([0-9]{1,3})\]`)
	fullID     = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

func FuzzGate(f *testing.F) {
	for _, seed := range []string{
		"Feed it [1][7] \"Feed it twice a day\" [2].", "> a block of text here\n> — me [1]\n\nSo [" + otherID + "]", "`code [9]` ![x](y) " + otherID,
		"```\n[9]\n", "[1, 2-4; " + firstID + "]", "【2†source】", "“„«»”\"\n\n\"", "\xff[1]\xc3", "[1](x) [1]: y", otherID[:20],
	} {
		f.Add(seed, uint8(3))
	}
	turns := someTurns()
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		whole, verdict := Check(text, turns)
		g := NewGate(turns)
		var streamed strings.Builder
		for rest := text; rest != ""; {
			n := min(1+int(cut)%7, len(rest))
			streamed.WriteString(g.Write(rest[:n]))
			rest = rest[n:]
		}
		tail, _ := g.Close()
		streamed.WriteString(tail)
		if streamed.String() != whole {
			t.Fatalf("streamed %q, at once %q", streamed.String(), whole)
		}
		for _, n := range verdict.Cited {
			if n < 1 || n > len(turns) {
				t.Fatalf("cites %d", n)
			}
		}
		for _, id := range fullID.FindAllString(whole, -1) {
			if id := strings.ToLower(id); id != firstID && id != secondID && id != saidID {
				t.Fatalf("an id that nothing bears is left in %q", whole)
			}
		}
		if strings.ContainsAny(text, "`") {
			return // citations in code are code
		}
		for _, m := range numberMark.FindAllStringSubmatch(whole, -1) {
			if n := atoi(m[1]); n < 1 || n > len(turns) {
				t.Fatalf("%s is left in %q", m[0], whole)
			}
		}
		if strings.Contains(whole, "![") {
			t.Fatalf("an image is left in %q", whole)
		}
	})
}
