package gemini

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store/ingest/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outline returns the turns and skips of data, one per line, and checks every conversation.
func outline(t testing.TB, data string) (all []string, ids []string) {
	t.Helper()
	for p, err := range Conversations(strings.NewReader(data)) {
		var skip *chat.Skip
		switch {
		case errors.As(err, &skip):
			all = append(all, "left out: "+skip.Reason)
		case err != nil:
			t.Fatal(err)
		default:
			if err := p.Check(); err != nil {
				t.Error(err)
			}
			turn := p.Turns[0]
			when := "undated"
			if !turn.Time.IsZero() {
				when = turn.Time.Format(time.RFC3339)
			}
			all = append(all, fmt.Sprintf("%s %q -> %q", when, turn.UserText, turn.AssistantText))
			ids = append(ids, p.ID.String())
		}
	}
	return all, ids
}

const logged = `[
{"header":"Gemini Apps","title":"Prompted What is a heron?","time":"2025-03-04T05:06:07.891Z","products":["Gemini Apps"],"safeHtmlItem":[{"html":"<p>A <b>wading</b> bird:</p><ul><li>grey</li><li>tall</li></ul><pre>x\n y</pre>"}]},
{"header":"Gemini-Apps","title":"Gefragt: Was ist ein Reiher?","time":"2025-03-04T05:06:08Z","safeHtmlItem":[{"html":"Ein Vogel &amp; mehr"}]},
{"header":"Gemini Apps","title":"Asked Bard: Alone?Attached 2 files.","time":"2023-01-02T03:04:05Z"},
{"header":"Gemini Apps","title":"Created a canvas","time":"2025-01-01T00:00:00Z","safeHtmlItem":[{"html":"x"}]},
{"header":"Search","title":"Searched for ponds","time":"2025-01-01T00:00:00Z"},
{"header":"Gemini Apps","title":"Etwas anderes","time":"2025-01-01T00:00:00Z"},
{"title":"Prompted undated"}, null ]`

func TestConversations_JSON(t *testing.T) {
	got, _ := outline(t, logged)
	want := []string{
		`2025-03-04T05:06:07Z "What is a heron?" -> "A wading bird:\n\n- grey\n- tall\n\n` + "```\\nx\\n y\\n```" + `"`,
		`2025-03-04T05:06:08Z "Gefragt: Was ist ein Reiher?" -> "Ein Vogel & mehr"`,
		`2023-01-02T03:04:05Z "Alone?" -> ""`,
		"left out: no prompt", "left out: of another product", "left out: no prompt", `undated "undated" -> ""`, "left out: null",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// page returns a log as HTML. An entry is a product, an action, and the rest.
func page(entries ...[3]string) string {
	var b strings.Builder
	b.WriteString(`<html><head><style>.outer-cell {}</style></head><body><div class="mdl-grid">`)
	for _, e := range entries {
		fmt.Fprintf(&b, `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid">`+
			`<div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">%s<br></p></div>`+
			`<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">%s<br>%s</div>`+
			`<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div>`+
			`<div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;%s<br></div></div></div>`, e[0], e[1], e[2], e[0])
	}
	return b.String() + "</div></body></html>"
}

func TestConversations_HTML(t *testing.T) {
	html := page(
		[3]string{"Gemini Apps", "Prompted&nbsp;What is a heron?", "Mar 4, 2025, 5:06:07&#8239;AM UTC<br><p>A <b>wading</b> bird:</p><ul><li>grey</li><li>tall</li></ul><pre>x\n y</pre>"},
		[3]string{"Gemini-Apps", "Gefragt:&nbsp;Zwei<br>Zeilen?", "04.03.2025, 06:06:08 MEZ<br><div>Ein <div>Vogel</div></div>"},
		[3]string{"Gemini Apps", "Created&nbsp;a canvas", "Mar 4, 2025, 5:06:07 AM UTC<br>"},
		[3]string{"YouTube", "Watched&nbsp;ponds", "Mar 4, 2025, 5:06:07 AM UTC<br>"},
		[3]string{"Gemini Apps", "Prompted&nbsp;Alone?", "some day"},
	)
	got, ids := outline(t, html)
	want := []string{
		`2025-03-04T05:06:07Z "What is a heron?" -> "A wading bird:\n\n- grey\n- tall\n\n` + "```\\nx\\n y\\n```" + `"`,
		`2025-03-04T05:06:08Z "Zwei\nZeilen?" -> "Ein\nVogel"`,
		"left out: no prompt", "left out: of another product", `undated "Alone?\nsome day" -> ""`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, same := outline(t, logged); same[0] != ids[0] {
		t.Error("the same prompt is two turns in JSON and in HTML")
	}
}

func TestDateOf_Languages(t *testing.T) {
	want := time.Date(2024, 10, 19, 9, 15, 7, 0, time.UTC)
	for _, line := range []string{
		"Oct 19, 2024, 9:15:07 AM UTC", "Oct 19, 2024, 9:15:07\u202fAM GMT", "Oct 19, 2024, 2:15:07 AM PDT", "19 Oct 2024, 10:15:07 BST",
		"Oct 19, 2024, 11:15:07 AM GMT+02:00", "Oct 19, 2024, 2:45:07 PM GMT+5:30",
		"19.10.2024, 11:15:07 MESZ", "19. Oktober 2024 um 11:15:07 MESZ", "19 oct. 2024, 11:15:07 CEST", "19 oct 2024, 11:15:07 CEST",
		"19 ott 2024, 11:15:07 CEST", "19 de out. de 2024, 06:15:07 BRT", "19 okt 2024, 11:15:07 CEST", "19. okt. 2024, 11.15.07 CEST",
		"19 paź 2024, 11:15:07 CEST", "19 окт. 2024 г., 12:15:07 MSK", "19 Eki 2024 12:15:07 GMT+03:00", "19. 10. 2024 11:15:07 CEST", "19. října 2024 11:15:07 CEST",
		"2024年10月19日 18:15:07 JST", "2024/10/19 18:15:07 JST", "2024年10月19日 上午9:15:07 UTC", "2024. 10. 19. 오후 6:15:07 KST", "2024. 10. 19. AM 9:15:07 UTC",
		"2024-10-19 09:15:07 UTC", "19 oct 2024, 9:15:07 a.m. UTC", "19 oct 2024, 9:15:07 a. m. UTC", "19/10/2024, 09:15:07 UTC", "10/19/2024, 9:15:07 AM UTC",
	} {
		if got, ok := dateOf(line); !ok || !got.Equal(want) {
			t.Errorf("%q: got %v, %v", line, got, ok)
		}
	}
	for month, line := range map[time.Month]string{
		1: "3 janv. 2024, 1:00:00 UTC", 2: "3 févr. 2024 à 1:00:00 UTC", 3: "3 mrt 2024, 1:00:00 UTC", 4: "3 kwi 2024, 1:00:00 UTC", 5: "3 мая 2024 г., 1:00:00 UTC",
		6: "3 giu 2024, 1:00:00 UTC", 7: "3 juil. 2024, 1:00:00 UTC", 8: "3 août 2024, 1:00:00 UTC", 9: "3 wrz 2024, 1:00:00 UTC", 11: "3. marraskuuta 2024 klo 1.00.00 UTC", 12: "3 dic 2024, 1:00:00 UTC",
	} {
		if got, ok := dateOf(line); !ok || !got.Equal(time.Date(2024, month, 3, 1, 0, 0, 0, time.UTC)) {
			t.Errorf("%q: got %v, %v", line, got, ok)
		}
	}
	for _, line := range []string{"", "What happened at 9:15?", "In 2024, at 10:00, I asked", "31 Feb 2024, 1:00:00 UTC", "Oct 19, 2024", "1 2 3 4 2024 1:00:00", strings.Repeat("x", 100) + " Oct 19, 2024, 9:15:07 AM UTC"} {
		if got, ok := dateOf(line); ok {
			t.Errorf("%q is not a date, but parsed as %v", line, got)
		}
	}
}

func FuzzConversations(f *testing.F) {
	f.Add(logged)
	f.Add(page([3]string{"Gemini Apps", "Prompted&nbsp;x", "Mar 4, 2025, 5:06:07 AM UTC<br><p>y"}))
	f.Add("<div class=outer-cell><div class=mdl-typography--body-1></div></div><pre></pre></pre>\x00")
	f.Fuzz(func(t *testing.T, data string) {
		for p, err := range Conversations(strings.NewReader(data)) {
			var skip *chat.Skip
			var known *errs.Error
			switch {
			case err != nil && !errors.As(err, &skip) && !errors.As(err, &known):
				t.Fatal(err)
			case err == nil:
				if err := p.Check(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
