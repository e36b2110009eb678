package retrieval_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
)

// keeping returns what keeps topics in a store.
func keeping(st store.Store) retrieval.KeepTopics {
	return func(ctx context.Context, name string, of int64, data []byte) error {
		return st.Update(ctx, func(tx store.Tx) error { return tx.PutKept(ctx, name, of, data) })
	}
}

func topicsOf(t *testing.T, e *retrieval.Engine) *retrieval.Topics {
	t.Helper()
	found, err := e.Topics(t.Context(), query.Query{Bin: "month"})
	testenv.Must(t, err)
	return found
}

func TestTopics_Demo(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{}))
	e := retrieval.New(st, nil)
	if none := topicsOf(t, e); len(none.Topics) > 0 || none.Notice == "" {
		t.Errorf("before they were made: %+v", none)
	}
	testenv.Must(t, e.MakeTopics(t.Context(), keeping(st)))
	made := topicsOf(t, e)
	if len(made.Topics) < 15 || made.Notice != "" {
		t.Fatalf("%d topics, notice %q", len(made.Topics), made.Notice)
	}
	turns, returned := 0, 0
	for _, topic := range made.Topics {
		t.Logf("%2d %-40s %4d turns %3d chats, %q, returned %+v", topic.ID, topic.Label, topic.Turns, topic.Conversations,
			topic.Title, topic.Returned)
		turns += topic.Turns
		if topic.Returned != nil {
			returned++
		}
		sum := 0
		for _, b := range topic.Bins {
			sum += b.Count
		}
		if sum != topic.Turns || len(topic.Bins) != len(made.Topics[0].Bins) {
			t.Errorf("%s: %d turns in %d bins, want %d", topic.Label, sum, len(topic.Bins), topic.Turns)
		}
	}
	if turns > made.Turns || turns < made.Turns*98/100 || returned != 5 {
		t.Errorf("%d of %d turns have a topic, %d topics returned", turns, made.Turns, returned)
	}
	again := retrieval.New(st, nil) // a process that only reads
	if read := topicsOf(t, again); !reflect.DeepEqual(read, made) {
		t.Error("what was kept says something else")
	}
	testenv.Must(t, again.MakeTopics(t.Context(), func(context.Context, string, int64, []byte) error {
		t.Error("made again")
		return nil
	}))
}

// Topics keep their numbers as the archive grows, and nothing is left of them when something is forgotten.
func TestTopics_GrowthAndForgetting(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{Turns: 1000, Until: time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)}))
	e := retrieval.New(st, nil)
	testenv.Must(t, e.MakeTopics(t.Context(), keeping(st)))
	before := topicsOf(t, e)
	archivetest.Import(t, st, testenv.Demo(t, demo.Options{Seed: 9, Turns: 60}))
	if stale := topicsOf(t, e); len(stale.Topics) != len(before.Topics) || stale.Notice == "" {
		t.Errorf("after an import: %d topics, notice %q", len(stale.Topics), stale.Notice)
	}
	testenv.Must(t, e.MakeTopics(t.Context(), keeping(st)))
	after := topicsOf(t, e)
	same := 0
	for _, topic := range after.Topics {
		i := slices.IndexFunc(before.Topics, func(b retrieval.Topic) bool { return b.ID == topic.ID })
		if i >= 0 && before.Topics[i].Label == topic.Label {
			same++
		}
	}
	t.Logf("%d of %d topics kept number and label", same, len(before.Topics))
	if after.Notice != "" || same < len(before.Topics)*2/3 {
		t.Errorf("%d of %d topics kept number and label, notice %q", same, len(before.Topics), after.Notice)
	}
	catalog, err := st.Catalog(t.Context())
	testenv.Must(t, err)
	testenv.Must(t, st.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Forget(t.Context(), catalog.Conversations[:1])
		return err
	}))
	if none := topicsOf(t, e); len(none.Topics) > 0 {
		t.Errorf("%d topics after forgetting", len(none.Topics))
	}
}

func TestAbout_Demo(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{}))
	e := retrieval.New(st, nil)
	testenv.Must(t, e.MakeTopics(t.Context(), nil))
	about, err := e.About(t.Context(), retrieval.Window{
		Since: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC),
	})
	testenv.Must(t, err)
	turns := 0
	for _, topic := range about.Topics {
		t.Logf("%+v", topic)
		turns += topic.Turns
	}
	if turns > about.Turns || turns < about.Turns*95/100 || about.Turns+about.Others != 2958 || !slices.IsSortedFunc(about.Topics, func(x, y retrieval.AboutTopic) int { return y.Turns - x.Turns }) {
		t.Errorf("%d of %d turns: %+v", turns, about.Turns, about.Topics)
	}
	if first := about.Topics[0]; !first.Unusual || first.Share < 2*first.Usual { // the trip to Japan
		t.Errorf("most turns: %+v", first)
	}
	if len(about.Titles) != 5 || about.Titles[0].Turns < about.Titles[4].Turns || about.Titles[0].Conversation == uuid.Nil {
		t.Errorf("titles: %+v", about.Titles)
	}
}

// Of a time that is nearly all there is, nothing is more or less than usual.
func TestAbout_UsualUnknown(t *testing.T) {
	e := retrieval.New(archivetest.New(t, testenv.Demo(t, demo.Options{})), nil)
	testenv.Must(t, e.MakeTopics(t.Context(), nil))
	for _, c := range []struct {
		since time.Time
		known bool
	}{
		{time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), true},
		{time.Date(2022, 2, 26, 0, 0, 0, 0, time.UTC), false},
	} {
		about, err := e.About(t.Context(), retrieval.Window{Since: c.since})
		testenv.Must(t, err)
		isSaid := func(t retrieval.AboutTopic) bool { return t.Unusual || t.Less }
		if about.KnowsUsual() != c.known || slices.ContainsFunc(about.Topics, isSaid) != c.known {
			t.Errorf("since %s, %d other turns: %+v", c.since, about.Others, about.Topics)
		}
	}
}

// The topics that say most about a time come first, then the others, each once.
func TestAbout_Distinctive(t *testing.T) {
	topic := func(id int, share, usual, z float64) retrieval.AboutTopic {
		return retrieval.AboutTopic{ID: id, Share: share, Usual: usual, Z: z, Unusual: z > 2.8}
	}
	ids := func(topics []retrieval.AboutTopic) string {
		var b strings.Builder
		for _, t := range topics {
			fmt.Fprint(&b, t.ID)
		}
		return b.String()
	}
	for _, c := range []struct {
		topics              []retrieval.AboutTopic
		distinctive, ranked string
	}{
		{nil, "", ""},
		{[]retrieval.AboutTopic{topic(1, .5, .3, 1), topic(2, .3, .1, 3), topic(3, .2, 0, 4)}, "32", "321"},
		{[]retrieval.AboutTopic{topic(1, .5, .4, 0), topic(2, .4, .1, 1), topic(3, .1, 0, 2)}, "2", "213"}, // one long chat
	} {
		b := retrieval.About{Topics: c.topics}
		if distinctive, ranked := ids(b.Distinctive()), ids(b.Ranked()); distinctive != c.distinctive || ranked != c.ranked {
			t.Errorf("%+v: distinctive %s, ranked %s; want %s and %s", c.topics, distinctive, ranked, c.distinctive, c.ranked)
		}
	}
}

func TestAbout_KnowsUsual(t *testing.T) {
	for _, c := range []struct {
		turns, others int
		want          bool
	}{{609, 36, false}, {609, 100, true}, {20, 20, true}, {20, 19, false}, {645, 0, false}} {
		if b := (retrieval.About{Turns: c.turns, Others: c.others}); b.KnowsUsual() != c.want {
			t.Errorf("%d turns beside %d others: %v", c.turns, c.others, !c.want)
		}
	}
}

func TestFilter_Topic(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{}))
	e := retrieval.New(st, nil)
	count := func(text string) (int, error) {
		q, _, err := query.Parse(text, time.Now())
		testenv.Must(t, err)
		a, err := e.Activity(t.Context(), q)
		if err != nil {
			return 0, err
		}
		return a.Histogram.Total, nil
	}
	if _, err := count("topic:japan"); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("before they were made: %v", err)
	}
	testenv.Must(t, e.MakeTopics(t.Context(), nil))
	all, err := count("")
	testenv.Must(t, err)
	names, err := e.TopicNames(t.Context())
	testenv.Must(t, err)
	for _, name := range names {
		if n, err := count("topic:" + name); err != nil || n == 0 {
			t.Errorf("topic:%s, as completed, finds %d turns, %v", name, n, err)
		}
	}
	if !slices.Contains(names, "Japan") {
		t.Errorf("names: %q", names)
	}
	topic := topicsOf(t, e).Topics[2]
	for text, want := range map[string]int{
		fmt.Sprint("topic:", topic.ID):                topic.Turns,
		fmt.Sprint("-topic:", topic.ID):               all - topic.Turns,
		fmt.Sprintf("topic:%q", topic.Label):          topic.Turns,
		"topic:" + strings.ToUpper(topic.Words[0]):    topic.Turns,
		fmt.Sprintf("topic:%d topic:%[1]d", topic.ID): topic.Turns,
	} {
		if got, err := count(text); err != nil || got < want {
			t.Errorf("%s: %d turns, want %d; %v", text, got, want, err)
		}
	}
	if _, err := count("topic:xyzzy"); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("an unknown topic: %v", err)
	}
}

// BenchmarkMakeTopics makes the topics of an archive from its keyword index, as Lens does in the background.
func BenchmarkMakeTopics(b *testing.B) {
	for _, n := range []int{3_000, largeTurns} {
		b.Run(fmt.Sprintf("turns=%d", n), func(b *testing.B) {
			st := archivetest.New(b, testenv.Demo(b, demo.Options{Turns: n}))
			b.Run("make", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					testenv.Must(b, retrieval.New(st, nil).MakeTopics(b.Context(), nil))
				}
			})
			e := retrieval.New(st, nil)
			testenv.Must(b, e.MakeTopics(b.Context(), keeping(st)))
			b.Run("show", func(b *testing.B) {
				for b.Loop() {
					_, err := e.Topics(b.Context(), query.Query{Bin: "quarter"})
					testenv.Must(b, err)
				}
			})
			b.Run("first", func(b *testing.B) {
				for b.Loop() {
					_, err := retrieval.New(st, nil).Topics(b.Context(), query.Query{Bin: "quarter"})
					testenv.Must(b, err)
				}
			})
			b.Run("about", func(b *testing.B) {
				for b.Loop() {
					_, err := e.About(b.Context(), retrieval.Window{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
					testenv.Must(b, err)
				}
			})
		})
	}
}

// The one chat that is most of what a topic has of a time is named where the topic's label does not say what it is
// about.
func TestAbout_MostlyOneChat(t *testing.T) {
	st := archivetest.New(t, testenv.Shared(t, "exports/real-2023/conversations.json"))
	e := retrieval.New(st, nil)
	testenv.Must(t, e.MakeTopics(t.Context(), nil))
	for when, want := range map[string]string{
		"2023-04-14": "Docker · postgres · JWT: Python Technical Interview. (32)",
		"2023-05":    "", // a quarter is of Django · PHP · Template, more than half of that in "PHP to Python Conversion"
	} {
		window, err := e.WindowNamed(t.Context(), when, day("2023-06-10"))
		testenv.Must(t, err)
		about, err := e.About(t.Context(), window)
		testenv.Must(t, err)
		var got []string
		for _, topic := range about.Topics {
			if m := topic.Mostly; m != nil && topic.Turns > 5 {
				got = append(got, fmt.Sprintf("%s: %s (%d)", topic.Label, m.Title, m.Turns))
			}
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s", when, got)
		}
	}
}

// The topics of an export that LENS_EXPORT names are printed, to be judged.
func TestTopics_OfAnExport(t *testing.T) {
	path := os.Getenv("LENS_EXPORT")
	if path == "" {
		path = testenv.Shared(t, "exports/real-2023/conversations.json")
	}
	st := archivetest.New(t, path)
	e := retrieval.New(st, nil)
	testenv.Must(t, e.MakeTopics(t.Context(), nil))
	for _, topic := range topicsOf(t, e).Topics {
		t.Logf("%3d turns %2d chats  %-44s %s", topic.Turns, topic.Conversations, topic.Label, topic.Title)
		if len(topic.Words) == 0 || topic.Turns == 0 {
			t.Errorf("%+v", topic)
		}
	}
}

func TestAbout_OutsideOfTheArchive(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	for when, want := range map[string]string{
		"2025": "The archive ends on 6 Mar 2024; try Mar 2024.", "2023-06": "",
		"2022": "The archive begins on 10 Jan 2023; try Jan 2023.",
	} {
		window, err := e.WindowNamed(t.Context(), when, day("2024-03-10"))
		testenv.Must(t, err)
		about, err := e.About(t.Context(), window)
		testenv.Must(t, err)
		says, _, _ := strings.Cut(about.Notice, "The topics")
		if about.Turns != 0 || strings.TrimSpace(says) != want {
			t.Errorf("%s: %d turns, %q; want %q", when, about.Turns, about.Notice, want)
		}
	}
}
