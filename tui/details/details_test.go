package details

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

func shown(width, height int, s Subject) *Pane {
	p := New(uitest.Context(theme.ASCII))
	p.SetSize(width, height)
	p.SetSubject(s)
	return p
}

func text(p *Pane) string { return uitest.Text(p.View()) }

var (
	may   = time.Date(2024, 5, 14, 9, 31, 0, 0, time.UTC)
	match = retrieval.Match{
		TurnID: uuid.Max, Conversation: uuid.Max, Score: new(0.93), Title: "Garden", Time: &may, OnPath: true,
	}
)

func TestPane_Sections(t *testing.T) {
	id := uuid.Max.String()
	for name, c := range map[string]struct {
		subject Subject
		want    string
	}{
		"nothing": {Subject{}, ""},
		"a match without a vector": {
			Subject{Match: &Match{Match: &match, Rank: 2, Of: 1200, Mode: query.Hybrid}},
			"Match 2 of 1,200\ntitle           Garden\nscore           0.930, the ranking score\n" +
				"meaning         unknown: this turn is not embedded\ntime            Tue 14 May 2024, 09:31 UTC\n" +
				"turn            " + id + "\nconversation    " + id,
		},
		"what a score is the sum of": {
			Subject{Match: &Match{Rank: 1, Of: 1, Match: &retrieval.Match{
				TurnID: uuid.Max, Score: new(1.35), Title: "Garden", Time: &may, OnPath: true, Features: retrieval.Features{
					{Name: "own", Value: .6, Weight: 1},
					{Name: "date", Weight: 1.25},
					{Name: "all_words", Value: 1, Weight: 1},
					{Name: "neighbor_vector", Value: -2, Weight: .125},
				},
			}}},
			"Match 1 of 1\ntitle           Garden\nscore           1.350, the ranking score\n" +
				"meaning         unknown: this turn is not embedded\ntime            Tue 14 May 2024, 09:31 UTC\n" +
				"turn            " + id + "\nconversation    " + uuid.Nil.String() + "\n\n" +
				"Score 1.350 is the sum of\n" +
				"feature           value  weight  product\n" +
				"all words         1.000       1   +1.000\n" +
				"own               0.600       1   +0.600\n" +
				"neighbor vector  -2.000   0.125   -0.250",
		},
		"a listed turn that is open": {
			Subject{
				Match: &Match{Match: &retrieval.Match{TurnID: uuid.Max}, Rank: 1, Of: 1, Listed: true},
				Turn:  &retrieval.Turn{TurnID: uuid.Max, Turns: 7, OnPath: true, Source: "claude", TimeSource: "conversation"},
			},
			"Listed turn 1 of 1\ntitle           untitled\ntime            undated\nbranch          abandoned\n" +
				"turn            " + id + "\nconversation    " + uuid.Nil.String() + "\n\n" +
				"Turn\nposition        1 of 7\nsource          claude\ntime from       conversation",
		},
		"a chunk": {
			Subject{Turn: &retrieval.Turn{
				Title: "Manual", TimeSource: "message", UsedSummary: true,
				Chunk: &retrieval.Chunk{Path: "docs/manual.pdf", Pages: []int{3, 4}},
			}},
			"Turn\ntitle           Manual\nturn            " + uuid.Nil.String() + "\nposition        1\n" +
				"file            docs/manual.pdf\npages           pages 3 to 4\nsummary         used for search by meaning",
		},
		"a search": {
			Subject{Search: &Search{
				Peek: &retrieval.Peek{
					Mode: query.Keyword, Histogram: retrieval.Histogram{Total: 400},
					Coverage: retrieval.Coverage{
						Truncated: true, Matching: 900, Candidates: 1000, Embedded: .5, Faint: true, Confidence: new(.062),
					},
				},
				Scope: Scope{Window: "all time", Filters: []string{"has:code", "words only"}, Bins: "by week"},
				Query: "prune", Like: uuid.Max, Limit: 400,
			}},
			"Search\nsimilar to      " + id + "\nquery           prune\nranked by       words\nwindow          all time\n" +
				"filters         has:code, words only\ncounted         400 matches (limit 400)\nout of          900 matching turns\n" +
				"searched        1,000 turns\nembedded        50% of turns with an answer\n" +
				"confidence      0.06 that these turns speak of the query\nnote            no clear match; showing the nearest\n" +
				"took            0.0 ms (embedding 0.0, search 0.0)\nbins            by week",
		},
		"a listing": {
			Subject{Listing: &Listing{
				Scope: Scope{Window: "2024", Filters: []string{"has:code", "in Garden"}}, Total: 3, Listed: "newest first",
				Fullest: []retrieval.ConversationCount{{Title: "Garden", Turns: 2}},
			}},
			"Turns in view\nwindow          2024\nfilters         has:code - in Garden\nin total        3 turns\n" +
				"listed          newest first\nmost active     Garden (2)",
		},
		"an archive that is not open": {
			Subject{Archive: Archive{Location: "/data", Limits: []string{"read-only", "offline"}, Chat: "m at h"}},
			"Archive\nlocation        /data\nlimits          read-only - offline",
		},
		"an archive": {
			Subject{Archive: Archive{Chat: "m at h", Overview: &retrieval.Overview{
				Turns: 5, Conversations: 2, OffPath: 1, Undated: 1, First: &may, Last: &may, Model: "e", Embedded: 1,
			}}},
			"Archive\nturns           5\nconversations   2\nabandoned       1 more on abandoned branches\nundated         1\n" +
				"first           Tue 14 May 2024, 09:31 UTC\nlast            Tue 14 May 2024, 09:31 UTC\nembedding model e\n" +
				"embedded        100% of turns with an answer\nchat            m at h",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := text(shown(80, 40, c.subject)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestPane_KeepsItsPlaceWhileHidden(t *testing.T) {
	p := shown(60, 4, Subject{Match: &Match{Match: &match, Rank: 1, Of: 1}})
	uitest.Do(t, p.Commands(), "last")
	before := text(p)
	if !strings.Contains(before, "conversation") || p.Below() != "" {
		t.Errorf("the end is\n%s\n%s", before, p.Below())
	}
	if p.SetSize(0, -1); text(p) != before {
		t.Errorf("hidden and shown again:\n%s", text(p))
	}
	if p.Scroll(-1); p.Below() != "1 line below" {
		t.Errorf("a line up, it is at %q", p.Below())
	}
}

func TestPane_FillsEverySize(t *testing.T) {
	for width := 1; width < 90; width += 11 {
		for height := 1; height < 30; height += 4 {
			p := shown(width, height, Subject{Match: &Match{Match: &match, Rank: 1, Of: 1}})
			uitest.MustFill(t, p.View(), width, height)
		}
	}
}
