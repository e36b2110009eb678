package shard

import (
	"slices"
	"strings"

	"lens/store"
)

// Facts are the metadata of a shard's records, so that one which cannot hold what a filter asks for need not be fetched: by key, what
// follows it in the facts that the records have (see store.Fact), ascending; nil for a key with more than maxValues of them. A key that is missing is one
// that no record has.
//
// A fact is taken apart at its second "=", whatever was meant by it: what matters is that the fact of a filter is taken apart alike.
type Facts map[string][]string

// The limits beyond which a shard is not told apart by its metadata.
const (
	maxValues = 64
	maxKeys   = 256
)

// anyKey stands for every key, in the facts of a shard that has too many keys.
const anyKey = "="

// factsOf sorts the terms of a shard's records into Facts.
func factsOf(facts map[string]struct{}) Facts {
	all := Facts{}
	for fact := range facts {
		key, value := splitFact(fact)
		if values, many := all[key]; many && values == nil {
			continue
		}
		if all[key] = append(all[key], value); len(all[key]) > maxValues {
			all[key] = nil
		}
	}
	if len(all) > maxKeys {
		return Facts{anyKey: nil}
	}
	for _, values := range all {
		slices.Sort(values)
	}
	return all
}

// split takes a fact apart: "=key=value", or "=#digest".
func splitFact(fact string) (key, value string) {
	key, value, found := strings.Cut(strings.TrimPrefix(fact, "="), "=")
	if !found {
		return "#", key
	}
	return key, value
}

// mayHold reports whether a record can have a fact.
func (f Facts) mayContain(fact string) bool {
	if values, any := f[anyKey]; any && values == nil {
		return true
	}
	key, value := splitFact(fact)
	values, has := f[key]
	if !has || values == nil {
		return has
	}
	_, found := slices.BinarySearch(values, value)
	return found
}

// mayMatch reports whether a record of the shard can pass f.
func (p *Part) mayMatch(f store.Filter) bool {
	if f.Timed() {
		dated := p.Undated < p.Records
		if !dated || !f.Since.IsZero() && p.Last < store.Micros(f.Since) || !f.Until.IsZero() && p.First >= store.Micros(f.Until) {
			return false
		}
	}
	for _, fact := range f.Facts() {
		if !p.Facts.mayContain(fact) {
			return false
		}
	}
	return true
}

// sound reports whether values are in the order in which they are looked up.
func (f Facts) isSorted() bool {
	for _, values := range f {
		if !slices.IsSorted(values) {
			return false
		}
	}
	return true
}
