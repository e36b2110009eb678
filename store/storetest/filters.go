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
		t.Run(c.name, func(t *testing.T) {
			var each, near, pending []string
			for _, turn := range a.each(t, c.filter) {
				each = append(each, turn.UserText)
			}
			found, err := a.Nearest(t.Context(), vectorOf(8, "query"), c.filter, 100)
			must(t, err)
			for _, n := range found {
				near = append(near, texts[n.Ord])
			}
			turns, err := a.Pending(t.Context(), other.ID, c.filter, 0, 100)
			must(t, err)
			for _, turn := range turns {
				pending = append(pending, turn.UserText)
			}
			count, err := a.CountPending(t.Context(), other.ID, c.filter)
			must(t, err)
			want(t, "EachTurn", sorted(each), c.want)
			want(t, "Nearest", sorted(near), c.want)
			want(t, "Pending", sorted(pending), c.want)
			want(t, "CountPending", count, len(pending))
		})
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
