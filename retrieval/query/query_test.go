package query_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/query"
)

var now = time.Date(2024, time.May, 3, 12, 0, 0, 0, time.UTC)

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func with(change func(*query.Query)) query.Query {
	var q query.Query
	change(&q)
	return q
}

func TestParse(t *testing.T) {
	id := uuid.MustParse("3f2ab81c-0000-4000-8000-000000000001")
	yes, no, half := true, false, 0.5
	for _, c := range []struct {
		text string
		want query.Query
	}{
		{"", query.Query{}},
		{"  rust \t async\n", query.Query{Text: "rust async"}},
		{`"docker compose"`, query.Query{Phrases: []string{"docker compose"}}},
		{`up "docker  compose" down`, query.Query{Text: "up down", Phrases: []string{"docker compose"}}},
		{`“docker compose” „rest api“`, query.Query{Phrases: []string{"docker compose", "rest api"}}},
		{`"still typing`, query.Query{Phrases: []string{"still typing"}}},
		{`"say ""hi"" twice"`, query.Query{Phrases: []string{`say "hi" twice`}}},
		{`docker -django`, query.Query{Text: "docker", Without: []string{"django"}}},
		{`-django`, query.Query{Without: []string{"django"}}},
		{`-"rest api" -école`, query.Query{Without: []string{"rest api", "école"}}},
		{`a - b`, query.Query{Text: "a - b"}},
		{`-5 --flag C-3PO foo-bar`, query.Query{Text: "-5 --flag C-3PO foo-bar"}},
		{`std::string 12:30 https://example.org/a:b key:`, query.Query{Text: "std::string 12:30 https://example.org/a:b key:"}},
		{`title:: title:/ since:`, query.Query{Text: "title:: title:/ since:"}},
		{`5" pipe""`, query.Query{Text: `5" pipe""`}},
		{`"" "!?" -"…"`, query.Query{}},
		{`\-django \"quoted \since:x \\-y \section`, query.Query{Text: `-django "quoted since:x \-y \section`}},
		{"since:2023-05", with(func(q *query.Query) { q.Filter.Since = date(2023, 5, 1) })},
		{"since:2023-05..2023-06", with(func(q *query.Query) {
			q.Filter.Since, q.Filter.Until = date(2023, 5, 1), date(2023, 7, 1)
		})},
		{"until:2023-05", with(func(q *query.Query) { q.Filter.Until = date(2023, 5, 1) })},
		{`since:"last 2d"`, with(func(q *query.Query) { q.Filter.Since = now.AddDate(0, 0, -2) })},
		{"bread source:claude source:chatgpt -source:gemini", with(func(q *query.Query) {
			q.Text = "bread"
			q.Filter.Sources = query.Values[string]{In: []string{"claude", "chatgpt"}, Not: []string{"gemini"}}
		})},
		{"kind:artifact -kind:tool", with(func(q *query.Query) {
			q.Filter.Kinds = query.Values[string]{In: []string{"artifact"}, Not: []string{"tool"}}
		})},
		{"conversation:" + id.String(), with(func(q *query.Query) { q.Filter.Conversations.In = []uuid.UUID{id} })},
		{`title:"tax return" -title:draft`, with(func(q *query.Query) {
			q.Filter.Titles = query.Values[string]{In: []string{"tax return"}, Not: []string{"draft"}}
		})},
		{"model:GPT-4o", with(func(q *query.Query) { q.Filter.Models.In = []string{"gpt-4o"} })},
		{"bread role:user", with(func(q *query.Query) { q.Text, q.Filter.Role = "bread", query.User })},
		{"has-code:yes", with(func(q *query.Query) { q.Filter.HasCode = &yes })},
		{"-has-code:yes", with(func(q *query.Query) { q.Filter.HasCode = &no })},
		{"has-code:false", with(func(q *query.Query) { q.Filter.HasCode = &no })},
		{"branches:yes", with(func(q *query.Query) { q.Filter.Branches = true })},
		{"similarity:0.5", with(func(q *query.Query) { q.Filter.MinSimilarity = &half })},
		{"min-words:200", with(func(q *query.Query) { q.Filter.MinWords = 200 })},
		{"tag:work", with(func(q *query.Query) { q.Filter.Tags.In = []string{"work"} })},
		{"meta:entity=acme=1", with(func(q *query.Query) { q.Filter.Meta.In = []query.Pair{{Key: "entity", Value: "acme=1"}} })},
	} {
		got, notices, err := query.Parse(c.text, now)
		if err != nil || len(notices) > 0 || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %+v, %q, %v; want %+v", c.text, got, notices, err, c.want)
		}
	}
}

func TestParse_WrongValue(t *testing.T) {
	for text, want := range map[string]string{
		"since:soon":                  `since: "soon" is not a date or time`,
		"until:2023..2024":            "until: takes one time, not a range",
		"until:0001-01-01":            "until: has nothing before it",
		"source:myspace":              `no source is named "myspace"`,
		"kind:poem":                   `no kind is named "poem"`,
		`title:""`:                    "title: empty",
		`title:"?!"`:                  "title: needs a word",
		"role:system":                 `no role is named "system"`,
		"-role:user":                  "role: cannot be negated",
		"has-code:maybe":              "has-code: neither true nor false",
		"similarity:2":                "similarity: must be a number from 0 to 1",
		"similarity:NaN":              "similarity: must be a number from 0 to 1",
		"min-words:0":                 "min-words: must be a whole number from 1 to 1000000",
		"min-words:2.5":               "min-words: must be a whole number from 1 to 1000000",
		"min-words:02":                "min-words: must be a whole number from 1 to 1000000",
		"min-words:+2":                "min-words: must be a whole number from 1 to 1000000",
		"min-words:1000001":           "min-words: must be a whole number from 1 to 1000000",
		"-min-words:2":                "min-words: cannot be negated",
		"meta:entity":                 "meta: must be a key and a value",
		"since:2023 since:2024":       "since: is given twice",
		"conversation:3f2a":           "conversation: not a complete ID",
		"conversation:" + zero:        "conversation: not a complete ID",
		"conversation:{" + zero + "}": "conversation: not a complete ID",
	} {
		_, _, err := query.Parse(text, now)
		var known *errs.Error
		if !errors.As(err, &known) || known.Code != errs.Invalid || known.Message != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParse_WrongChoice(t *testing.T) {
	for text, want := range map[string]string{
		"source:cl":     "use one of claude, claude-code, cline",
		"source:chatgp": "use chatgpt",
		"kind:Thougt":   "use thought",
		"role:system":   "use one of user, assistant",
	} {
		_, _, err := query.Parse(text, now)
		var known *errs.Error
		if !errors.As(err, &known) || known.Hint != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	long := strings.Repeat("soon ", 100)
	if _, _, err := query.Parse(`since:"`+long+`"`, now); err == nil || len(err.Error()) > 200 {
		t.Errorf("a long value: %v", err)
	}
}

var zero = uuid.Nil.String()

func TestParse_NearMiss(t *testing.T) {
	for text, want := range map[string]string{
		"titel:invoice": "title", "Since:2023": "since", "-sources:claude": "source", "hascode:yes": "has-code",
		"mode:dark": "model", "note:this": "", "std:x": "", "roles:user": "role", "tags:x": "", "12:30": "",
	} {
		q, notices, err := query.Parse(text, now)
		if err != nil || (len(notices) > 0) != (want != "") {
			t.Errorf("%q: %q, %v", text, notices, err)
			continue
		}
		if want != "" && !strings.Contains(notices[0], "“"+want+":”") {
			t.Errorf("%q: %q does not name %s", text, notices[0], want)
		}
		if !q.HasWords() && len(q.Without) == 0 {
			t.Errorf("%q is not read as words", text)
		}
	}
}

func TestItems(t *testing.T) {
	const text = `rust "a b" -x -source:claude title:"tax ret" \since:x role: since:soon ` +
		`foo:bar -note:"x std::string 12:30 http://x TODO:x c++:x x: "a foo:b"`
	want := []string{
		`rust`, `"a b"`, `-x`, `-source:claude=source=claude`, `title:"tax ret"=title="tax ret"`, `\since:x`, `role:=role=`, `since:soon=since=soon`,
		`foo:bar?foo`, `-note:"x?note`, `std::string`, `12:30`, `http://x`, `TODO:x`, `c++:x`, `x:`, `"a foo:b"`,
	}
	var got []string
	for _, item := range query.Items(text) {
		word := text[item.From:item.To]
		if item.Key != "" {
			word += "=" + item.Key + "=" + text[item.Value:item.To]
		}
		if item.Stray != "" {
			word += "?" + item.Stray
		}
		got = append(got, word)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestQueryString_Chips(t *testing.T) {
	q, _, err := query.Parse(`"a b" x -y source:claude -title:"old draft" since:2023`, now)
	if err != nil {
		t.Fatal(err)
	}
	const want = `x "a b" -y since:2023-01-01 source:claude -title:"old draft"`
	if got := q.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Of two starts and of two ends the one that leaves less counts, in whatever order they are given.
func TestParse_WindowIsWhatBothAllow(t *testing.T) {
	for _, c := range []struct {
		text         string
		since, until time.Time
	}{
		{`since:2023-05..2023-12 until:2023-08`, date(2023, 5, 1), date(2023, 8, 1)},
		{`until:2023-08 since:2023-05..2023-12`, date(2023, 5, 1), date(2023, 8, 1)},
		{`since:2023-05..2023-06 until:2024`, date(2023, 5, 1), date(2023, 7, 1)},
		{`until:2024 since:..2023-06`, time.Time{}, date(2023, 7, 1)},
		{`since:2023.. until:2024`, date(2023, 1, 1), date(2024, 1, 1)},
	} {
		q, _, err := query.Parse(c.text, now)
		if since, until := q.Window(); err != nil || !since.Equal(c.since) || !until.Equal(c.until) {
			t.Errorf("%s: from %v to %v, %v", c.text, since, until, err)
		}
	}
	for _, text := range []string{
		"since:2023-05 until:2023-03", `since:"2020..2021" until:2019`, `until:2019 since:"2020..2021"`, "until:2024 since:2024..",
	} {
		q, _, err := query.Parse(text, now)
		if err == nil {
			err = q.Validate()
		}
		var known *errs.Error
		if !errors.As(err, &known) || known.Message != "the window is empty or ends before it starts" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Too many values, and one that is too long, are refused in one sentence, typed or given by a program.
func TestFilter_Limits(t *testing.T) {
	for _, field := range query.Filters {
		if !field.Many {
			continue
		}
		value := func(i int) string {
			switch field.Kind {
			case query.ID:
				return uuid.NewSHA1(uuid.Nil, []byte{byte(i)}).String()
			case query.KeyValue:
				return fmt.Sprintf("key%d=x", i)
			}
			return fmt.Sprintf("value%d", i)
		}
		if field.Kind != query.Choice {
			var f query.Filter
			for i := range query.MaxValues {
				if err := field.Set(&f, value(i), i%2 > 0, now); err != nil {
					t.Fatalf("%s: value %d: %v", field.Key, i, err)
				}
			}
			if err := f.Validate(query.Query{}); err != nil {
				t.Errorf("%s: %v", field.Key, err)
			}
			err := field.Set(&f, value(query.MaxValues), true, now)
			if errs.CodeOf(err) != errs.Invalid || errs.First(err).Message != "has more than 32 values" {
				t.Errorf("%s: %v", field.Key, err)
			}
			err = f.Validate(query.Query{})
			if errs.CodeOf(err) != errs.Invalid || errs.First(err).Message != field.Key+": has more than 32 values" {
				t.Errorf("%s: %v", field.Key, err)
			}
		}
		if field.Kind == query.Text || field.Kind == query.KeyValue {
			longest := "k=" + strings.Repeat("x", query.MaxValueBytes-2)
			if err := field.Set(new(query.Filter), longest, false, now); err != nil {
				t.Errorf("%s: %v", field.Key, err)
			}
			if err := field.Set(new(query.Filter), longest+"x", false, now); errs.CodeOf(err) != errs.Invalid {
				t.Errorf("%s: a value of %d bytes: %v", field.Key, len(longest)+1, err)
			}
		}
	}
}

func TestFilter_WithAndDrop(t *testing.T) {
	parse := func(text string) query.Filter {
		t.Helper()
		q, _, err := query.Parse(text, now)
		if err != nil {
			t.Fatal(err)
		}
		return q.Filter
	}
	base := parse(`source:claude role:user -title:"old draft" has-code:yes since:2023`)
	sum := base.With(parse(`source:gemini source:claude role:assistant title:x`))
	if want := parse(`since:2023 source:claude source:gemini title:x -title:"old draft" role:assistant has-code:yes`); !reflect.DeepEqual(sum, want) {
		t.Errorf("got %v, want %v", sum.Strings(), want.Strings())
	}
	if want := parse(`source:claude role:user -title:"old draft" has-code:yes since:2023`); !reflect.DeepEqual(base, want) {
		t.Errorf("the first became %v", base.Strings())
	}
	for _, item := range sum.Strings() {
		if left := sum.Drop(item).Strings(); len(left) != len(sum.Strings())-1 || slices.Contains(left, item) {
			t.Errorf("without %s there is %v", item, left)
		}
	}
}

func TestQueryValidate(t *testing.T) {
	n := func(i int) *int { return &i }
	half := .5
	for name, c := range map[string]struct {
		q    query.Query
		code errs.Code
	}{
		"nothing":           {query.Query{Text: " "}, errs.Invalid},
		"a word":            {query.Literal("x"), ""},
		"a phrase":          {query.Query{Phrases: []string{"x"}}, ""},
		"a filter":          {query.Query{Filter: query.Filter{Since: now}}, ""},
		"an exclusion":      {query.Query{Without: []string{"x"}}, ""},
		"an empty phrase":   {query.Query{Phrases: []string{"?"}}, errs.Invalid},
		"words and a turn":  {query.Query{Text: "x", Like: "3f"}, errs.Invalid},
		"too long":          {query.Literal(strings.Repeat("x", query.MaxBytes+1)), errs.TooLarge},
		"too many phrases":  {query.Query{Without: strings.Split(strings.Repeat("x ", 40)+"x", " ")}, errs.Invalid},
		"a mode":            {query.Query{Text: "x", Mode: "best"}, errs.Invalid},
		"no matches":        {query.Query{Text: "x", TopK: n(0)}, errs.Invalid},
		"no snippets":       {query.Query{Text: "x", Snippets: n(0)}, ""},
		"too many snippets": {query.Query{Text: "x", Snippets: n(1001)}, errs.Invalid},
		"a bin":             {query.Query{Text: "x", Bin: "fortnight"}, errs.Invalid},
		"an empty window":   {query.Query{Text: "x", Filter: query.Filter{Since: now, Until: now}}, errs.Invalid},
		"a role alone":      {query.Query{Filter: query.Filter{Role: query.User}}, errs.Invalid},
		"a dense role":      {query.Query{Text: "x", Mode: query.Dense, Filter: query.Filter{Role: query.User}}, errs.Invalid},
		"words alike":       {query.Query{Text: "x", Mode: query.Keyword, Filter: query.Filter{MinSimilarity: &half}}, errs.Invalid},
	} {
		if err := c.q.Validate(); errs.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %q", name, err, c.code)
		}
	}
}

// Each filter that Parse reads is printed so that it reads the same, by its own key and by every value it shows.
func TestFilters_StringsAreReadAgain(t *testing.T) {
	for _, field := range query.Filters {
		if field.Example == "" {
			continue
		}
		var f, again query.Filter
		if err := field.Set(&f, field.Example, false, now); err != nil {
			t.Fatalf("%s: %v", field.Key, err)
		}
		if f.IsZero() {
			t.Errorf("%s: IsZero does not know it", field.Key)
		}
		for _, value := range field.Strings(f) {
			if err := field.Set(&again, value, false, now); err != nil {
				t.Errorf("%s: %q: %v", field.Key, value, err)
			}
		}
		if !reflect.DeepEqual(f, again) {
			t.Errorf("%s: %+v is read again as %+v", field.Key, f, again)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`docker -django`, `"a ""b"" c" -"x"`, `title:"a b" -source:claude`, `\-x \\"y \title:z`, `since:"last 90d"`,
		`“a” „b“`, `-title:a"b`, `model:"x y`, `meta:a=b has-code:no similarity:0.25 branches:yes min-words:2`, "\x00\xff -\u0301x",
	} {
		f.Add(seed)
	}
	f.Add("since:2023-05..2023-12 until:2023-08")
	f.Add(`until:2019 since:"2020..2021"`)
	f.Add("model:" + strings.Repeat("Ⱥ", query.MaxValueBytes/3))
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, item := range query.Items(text) {
			if item.From < end || item.To <= item.From || item.To > len(text) || item.Key != "" && item.Value > item.To {
				t.Fatalf("%q has the item %+v after %d", text, item, end)
			}
			end = item.To
		}
		q, _, err := query.Parse(text, now)
		if err != nil {
			if code := errs.CodeOf(err); code != errs.Invalid && code != errs.TooLarge {
				t.Fatal(err)
			}
			return
		}
		printed := q.String()
		again, _, err := query.Parse(printed, now)
		if len(printed) <= query.MaxBytes && (err != nil || !reflect.DeepEqual(q, again)) {
			t.Fatalf("%q is printed as %q, which is read as %+v (%v), not %+v", text, printed, again, err, q)
		}
		if len(q.Text) > 0 && len(q.Text) < query.MaxBytes/2 {
			literal, _, err := query.Parse(query.Literal(strings.Join(strings.Fields(q.Text), " ")).String(), now)
			if err != nil || literal.Text != q.Text {
				t.Fatalf("words %q are read again as %q (%v)", q.Text, literal.Text, err)
			}
		}
	})
}

// Whatever a program sends as words is printed so that it reads as the same words.
func FuzzLiteral(f *testing.F) {
	f.Add(`-x "y" since:2023 \-z`)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), query.MaxBytes/2)], "?")), " ")
		q, _, err := query.Parse(query.Literal(text).String(), now)
		if want := query.Literal(text); err != nil || !reflect.DeepEqual(q, want) {
			t.Fatalf("%q is read as %+v (%v)", text, q, err)
		}
	})
}

func TestParse_DatesInWords(t *testing.T) {
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	q, _, err := query.Parse(`bread since:"May 2023" until:"last summer"`, now)
	since, until := q.Window()
	if err != nil || since.Format(time.DateOnly) != "2023-05-01" || until.Format(time.DateOnly) != "2026-06-01" || q.Text != "bread" {
		t.Errorf("%q from %v until %v: %v", q.Text, since, until, err)
	}
	if _, _, err := query.Parse(`since:"what did I do last week"`, now); err == nil {
		t.Error("a question is a time")
	}
}
