package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

var filterChecks = []check{
	{"match the same turns in every read", filtersActAlike},
	{"for an unknown conversation match nothing", unknownConversationMatchesNothing},
	{"by ordinals act together with every other filter", ordsActTogether},
	{"by ordinals find the nearest of many, whatever their share", nearestAmongOrds},
}

// filterCase is a filter with the user texts of the matching turns, in alphabetical order.
type filterCase struct {
	name   string
	filter store.Filter
	want   string
}

// filterCases are filters of the turns of filterChats.
var filterCases = []filterCase{
	{"the zero filter: active paths, undated included", store.Filter{}, "a b c d undated"},
	{"all branches", store.Filter{AllBranches: true}, "a b branch c d lost undated"},
	{"since is inclusive", store.Filter{Since: at(2)}, "b c d"},
	{"until is exclusive", store.Filter{Until: at(2)}, "a"},
	{"a microsecond later", store.Filter{Since: at(2).Add(time.Microsecond)}, "c d"},
	{"a microsecond earlier", store.Filter{Until: at(2).Add(time.Microsecond)}, "a b"},
	{"from and to", store.Filter{Since: at(2), Until: at(4)}, "b c"},
	{"an empty window", store.Filter{Since: at(2), Until: at(2)}, ""},
	{"a reversed window", store.Filter{Since: at(4), Until: at(1)}, ""},
	{"before everything", store.Filter{Until: at(0)}, ""},
	{"after everything", store.Filter{Since: at(100)}, ""},
	{"another zone, the same instant", store.Filter{Since: at(2).In(time.FixedZone("", 5*3600))}, "b c d"},
	{"one conversation", store.Filter{Conversation: idOf("conversation one")}, "a c undated"},
	{"one conversation with its branches", store.Filter{
		Conversation: idOf("conversation one"),
		AllBranches:  true,
	}, "a branch c lost undated"},
	{"one conversation in a window", store.Filter{Conversation: idOf("conversation one"), Since: at(2)}, "c"},
	{"branches in a window", store.Filter{AllBranches: true, Since: at(2), Until: at(3)}, "b branch"},
}

func filterChats() []store.Conversation {
	reply := []string{"yes"}
	return []store.Conversation{
		chat("one",
			exchange{"a", reply, "", at(1), false},
			exchange{"c", reply, "", at(3), false},
			exchange{User: "undated", Replies: reply},
			exchange{"branch", reply, "", at(2), true},
			exchange{User: "lost", Replies: reply, Branch: true}),
		chat("two", exchange{"b", reply, "", at(2), false}, exchange{"d", reply, "", at(4), false}),
	}
}

func filtersActAlike(t *testing.T, a *archive) {
	checkFilters(t, a, filterChats(), filterCases)
}

// checkFilters puts chats, embeds them all, and compares the turns that match each filter in every
// kind of read.
func checkFilters(t *testing.T, a *archive, chats []store.Conversation, cases []filterCase) {
	chats = a.put(t, chats...)
	gen, other := a.generation(t, 8, true), a.generation(t, 16, false)
	texts := make(map[store.Ord]string)
	for _, c := range chats {
		a.embed(t, gen, c.Turns...)
		for _, turn := range c.Turns {
			texts[turn.Ord] = turn.UserText
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { a.wantMatches(t, c.filter, other, texts, c.want) })
	}
}

// wantMatches checks that every kind of read returns the turns with the wanted texts. No turn has a vector in other.
func (a *archive) wantMatches(
	t *testing.T, f store.Filter, other store.Generation, texts map[store.Ord]string, wanted string,
) {
	t.Helper()
	var each, near, pending []string
	for _, turn := range a.each(t, f) {
		each = append(each, turn.UserText)
	}
	found, err := a.Nearest(t.Context(), vectorOf(8, "query"), f, 100)
	must(t, err)
	for _, n := range found {
		near = append(near, texts[n.Ord])
	}
	turns, err := a.Pending(t.Context(), other.ID, f, 0, 100)
	must(t, err)
	for _, turn := range turns {
		pending = append(pending, turn.UserText)
	}
	count, err := a.CountPending(t.Context(), other.ID, f)
	must(t, err)
	want(t, "EachTurn", sorted(each), wanted)
	want(t, "Nearest", sorted(near), wanted)
	want(t, "Pending", sorted(pending), wanted)
	want(t, "CountPending", count, len(pending))
}

// ordsActTogether adds ordinals to the filters of the other checks.
func ordsActTogether(t *testing.T, a *archive) {
	chats := append(filterChats(), factChats()...)
	dead := new(store.OrdSet)
	for _, c := range a.put(t, chats...) {
		for _, turn := range c.Turns {
			dead.Add(turn.Ord)
		}
	}
	chats = a.put(t, chats...) // again, under other ordinals
	gen, other := a.generation(t, 8, true), a.generation(t, 16, false)
	texts, all, odd := make(map[store.Ord]string), new(store.OrdSet), new(store.OrdSet)
	odd.Add(1_000_000)
	for _, c := range chats {
		a.embed(t, gen, c.Turns...)
		for _, turn := range c.Turns {
			texts[turn.Ord] = turn.UserText
			if all.Add(turn.Ord); turn.Ord%2 == 1 {
				odd.Add(turn.Ord)
			}
		}
	}
	for _, set := range []struct {
		name string
		ords *store.OrdSet
	}{{"none", new(store.OrdSet)}, {"dead ones", dead}, {"odd ones", odd}, {"all", all}} {
		for _, c := range append(filterCases, factCases...) {
			t.Run(set.name+"/"+c.name, func(t *testing.T) {
				f := c.filter
				var those []string
				for _, turn := range a.each(t, f) {
					if set.ords.Has(turn.Ord) {
						those = append(those, turn.UserText)
					}
				}
				f.Ords = set.ords
				a.wantMatches(t, f, other, texts, sorted(those))
			})
		}
	}
}

// nearestAmongOrds searches sets of many and of few turns, among them the farthest ones.
func nearestAmongOrds(t *testing.T, a *archive) {
	const n, dim = 3000, 32
	var turns []store.Turn
	for _, c := range a.put(t, hourlyChats(n)...) {
		turns = append(turns, c.Turns...)
	}
	a.embed(t, a.generation(t, dim, true), turns...)
	query := vectorOf(dim, "query")
	ranks := make(map[store.Ord]int, n)
	for rank, found := range exactNearest(query, turns, n) {
		ranks[found.Ord] = rank
	}
	for name, has := range map[string]func(store.Ord) bool{
		"90 %":         func(ord store.Ord) bool { return ord%10 != 0 },
		"1 %":          func(ord store.Ord) bool { return ord%100 == 0 },
		"the farthest": func(ord store.Ord) bool { return ranks[ord] >= n/2 },
	} {
		for _, f := range []store.Filter{{}, {Since: at(n / 3), Until: at(n)}, {Meta: map[string]string{"no": "such"}}} {
			f.Ords = new(store.OrdSet)
			var eligible []store.Turn
			for _, turn := range turns {
				if !has(turn.Ord) {
					continue
				}
				if f.Ords.Add(turn.Ord); matches(turn, f) && f.Meta == nil {
					eligible = append(eligible, turn)
				}
			}
			for _, k := range []int{1, 100, n} {
				found, err := a.Nearest(t.Context(), query, f, k)
				must(t, err)
				if wanted := exactNearest(query, eligible, k); !slices.Equal(found, wanted) {
					t.Errorf("%s, %+v: %d of %d found, or others than the nearest", name, f, len(found), len(wanted))
				}
			}
		}
	}
}

func sorted(words []string) string {
	slices.Sort(words)
	line := fmt.Sprint(words)
	return line[1 : len(line)-1]
}

func unknownConversationMatchesNothing(t *testing.T, a *archive) {
	chats := a.put(t, filterChats()...)
	gen := a.generation(t, 8, true)
	a.embed(t, gen, chats[0].Turns...)
	f := store.Filter{Conversation: uuid.New(), AllBranches: true}
	want(t, "EachTurn", len(a.each(t, f)), 0)
	found, err := a.Nearest(t.Context(), vectorOf(8, "query"), f, 10)
	must(t, err)
	want(t, "Nearest", len(found), 0)
	n, err := a.CountPending(t.Context(), 0, f)
	must(t, err)
	want(t, "CountPending", n, 0)
}
