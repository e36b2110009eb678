package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
)

// A filter becomes a set of rows, once for each request: what the stores know of it (time, branches, one conversation,
// sources), then the other properties of turns, then what only their texts tell, then similarity. The set goes to the
// stores as ordinals, so that a search for vectors stays within it, too.

// rowFilter finds the rows that pass the filter of a request.
type rowFilter struct {
	source  Source
	words   *wordIndex
	vectors *vectorIndex
	titles  *titleIndex
	topics  *topicIndex
	texts   *turnTexts
}

// apply sets the eligible rows of a search.
func (r *rowFilter) apply(ctx context.Context, f *searchResult) error {
	f.scope = f.Scope(f.filter, nil)
	f.eligible = f.eligibleRows()
	f.timeOnly = f.scope.TimeOnly()
	if err := r.keepProperties(ctx, f); err != nil {
		return err
	}
	f.timeOnly = f.timeOnly && !f.narrowed // texts restrict like words, after which the peaks are looked for
	f.beforeTexts = f.eligible
	if err := r.keepTexts(ctx, f); err != nil {
		return err
	}
	if f.narrowed {
		f.filter.Ords = f.ords()
	}
	return r.keepSimilar(ctx, f)
}

// eligibleRows returns the rows that pass what the stores know of the filter: of the whole archive, whatever their
// time, where that is nothing but times and branches, else of the window. The turn of a Like request is not among them.
func (f *searchResult) eligibleRows() rank.Rows {
	everyPath := f.filter.AllBranches || f.turns == f.Len()
	switch {
	case f.scope.TimeOnly() && f.like == uuid.Nil && everyPath:
		return nil
	case f.scope.TimeOnly() && f.like == uuid.Nil:
		return f.onPath
	}
	rows := rank.NewRows(f.Len())
	for row := range f.scope.Rows() {
		if !f.isItself(int32(row)) {
			rows.Add(int32(row))
		}
	}
	return rows
}

// narrow replaces the eligible rows by those that keep returns true for. Rows outside the window are dropped.
func (f *searchResult) narrow(keep func(row int32) bool) {
	rows := rank.NewRows(f.Len())
	for row := range f.eligibleInWindow {
		if keep(row) {
			rows.Add(row)
		}
	}
	f.eligible, f.narrowed = rows, true
}

// keepOnly drops the eligible rows that are not in rows.
func (f *searchResult) keepOnly(rows []int32) {
	kept := rank.NewRows(f.Len())
	for _, row := range rows {
		if f.isEligible(row) {
			kept.Add(row)
		}
	}
	f.eligible, f.narrowed = kept, true
}

// drop drops rows.
func (f *searchResult) drop(rows []int32) {
	if f.eligible == nil {
		f.narrow(func(int32) bool { return true })
	} else {
		f.eligible, f.narrowed = slices.Clone(f.eligible), true
	}
	for _, row := range rows {
		f.eligible.Remove(row)
	}
}

// eligibleInWindow yields the eligible rows in order of time, the undated last.
func (f *searchResult) eligibleInWindow(yield func(row int32) bool) {
	for row := int32(f.scope.Lo); row < int32(f.scope.Hi); row++ {
		if f.isEligible(row) && !yield(row) {
			return
		}
	}
}

// ords returns the ordinals of the eligible rows.
func (f *searchResult) ords() *store.OrdSet {
	set := new(store.OrdSet)
	for row := range f.eligibleInWindow {
		set.Add(f.Ord[row])
	}
	return set
}

// keepProperties drops the rows whose conversation, length or facts the filter does not let through.
func (r *rowFilter) keepProperties(ctx context.Context, f *searchResult) error {
	through, err := r.conversationsThrough(ctx, f)
	if err != nil {
		return err
	}
	if through != nil {
		f.narrow(func(row int32) bool { return through[f.Conversation[row]] })
	}
	if least := f.asked.Filter.MinWords; least > 0 {
		f.narrow(func(row int32) bool { return int(f.Length[row]) >= least })
	}
	return r.keepFacts(ctx, f)
}

// conversationsThrough returns which conversations of the catalog the filter lets through; nil: all.
func (r *rowFilter) conversationsThrough(ctx context.Context, f *searchResult) ([]bool, error) {
	by := f.asked.Filter
	if len(by.Conversations.In) < 2 && len(by.Conversations.Not) == 0 && len(by.Sources.Not) == 0 && by.Kinds.IsZero() &&
		by.Titles.IsZero() && by.Topics.IsZero() {
		return nil, nil
	}
	throughSource := make([]bool, len(f.Sources))
	for s, source := range f.Sources {
		throughSource[s] = allows(by.Sources, string(source.Service())) && allows(by.Kinds, string(source.Kind()))
	}
	through := make([]bool, len(f.Conversations))
	for c, id := range f.Conversations {
		through[c] = allows(by.Conversations, id) && throughSource[f.SourceOf[c]]
	}
	if err := r.keepTopics(ctx, f, through); err != nil || by.Titles.IsZero() {
		return through, err
	}
	titles, err := r.titles.load(ctx, f.snapshot)
	if err != nil {
		return nil, err
	}
	for _, title := range by.Titles.In {
		has := titles.having(title)
		for c := range through {
			through[c] = through[c] && has[c]
		}
	}
	for _, title := range by.Titles.Not {
		for c, has := range titles.having(title) {
			through[c] = through[c] && !has
		}
	}
	return through, nil
}

// keepTopics drops the conversations whose topic the filter does not let through.
func (r *rowFilter) keepTopics(ctx context.Context, f *searchResult, through []bool) error {
	by := f.asked.Filter.Topics
	in := make([]bool, len(through)) // of one of the topics
	for _, name := range by.In {
		has, err := r.topics.having(ctx, f.snapshot, name)
		if err != nil {
			return err
		}
		for c := range in {
			in[c] = in[c] || has[c]
		}
	}
	for c := range through {
		through[c] = through[c] && (in[c] || len(by.In) == 0)
	}
	for _, name := range by.Not {
		has, err := r.topics.having(ctx, f.snapshot, name)
		if err != nil {
			return err
		}
		for c := range through {
			through[c] = through[c] && !has[c]
		}
	}
	return nil
}

// allows reports whether v lets a property with this value through.
func allows[T comparable](v query.Values[T], value T) bool {
	return (len(v.In) == 0 || slices.Contains(v.In, value)) && !slices.Contains(v.Not, value)
}

// factRule is a filter by facts: turns have one of them, or with not, none.
type factRule struct {
	facts []string
	not   bool
}

// factRules returns the part of a filter that facts decide.
func factRules(f query.Filter) (rules []factRule) {
	values := func(v query.Values[string], fact func(string) string) {
		add := func(values []string, not bool) {
			if len(values) == 0 {
				return
			}
			rule := factRule{not: not}
			for _, value := range values {
				rule.facts = append(rule.facts, fact(value))
			}
			rules = append(rules, rule)
		}
		add(v.In, false)
		add(v.Not, true)
	}
	values(f.Models, store.OfModel)
	if f.HasCode != nil {
		rules = append(rules, factRule{[]string{store.HasCode}, !*f.HasCode})
	}
	values(f.Tags, func(tag string) string { return store.Fact("client_tag", tag) })
	for _, pair := range f.Meta.In {
		rules = append(rules, factRule{[]string{store.Fact(pair.Key, pair.Value)}, false})
	}
	for _, pair := range f.Meta.Not {
		rules = append(rules, factRule{[]string{store.Fact(pair.Key, pair.Value)}, true})
	}
	return rules
}

// keepFacts drops the rows without the facts that the filter wants.
func (r *rowFilter) keepFacts(ctx context.Context, f *searchResult) error {
	by := f.asked.Filter
	if !by.Models.IsZero() || by.HasCode != nil {
		if err := f.checkFacts(ctx, r.source); err != nil {
			return err
		}
	}
	for _, rule := range factRules(by) {
		lists, err := r.words.lists(ctx, f.snapshot, rule.facts)
		if err != nil {
			return err
		}
		rows := lists[0].Rows
		if len(lists) > 1 {
			rows = union(f.Len(), lists)
		}
		if rule.not {
			f.drop(rows)
		} else {
			f.keepOnly(rows)
		}
	}
	return nil
}

// checkFacts returns an error unless the facts of every turn are indexed.
func (a *snapshot) checkFacts(ctx context.Context, source Source) error {
	if a.factsIndexed.Load() {
		return nil
	}
	err := store.CheckFacts(ctx, source)
	a.factsIndexed.Store(err == nil)
	return err
}

// union returns the rows below n that are in one of lists, ascending.
func union(n int, lists []rank.PostingList) []int32 {
	return slices.Collect(rank.Union(n, lists).All())
}
