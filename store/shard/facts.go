package shard

import (
	"slices"
	"strings"

	"lens/store"
)

// Facts lists the metadata of a shard's records, so that a shard that cannot match a filter need not be
// fetched. It maps a key to the sorted values after it in the records' facts (see store.Fact), or to nil for
// more than maxValues values. A missing key occurs in no record.
//
// Each fact is split at its second "=". That need not be what the data meant, but the facts of a filter are
// split in the same way.
type Facts map[string][]string

// Beyond these limits a shard cannot be excluded by its metadata.
const (
	maxValues = 64
	maxKeys   = 256
)

// anyKey stands for every key, for a shard with too many keys.
const anyKey = "="

// factsOf groups the facts of a shard's records.
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

// splitFact splits "=key=value" or "=#digest".
func splitFact(fact string) (key, value string) {
	key, value, found := strings.Cut(strings.TrimPrefix(fact, "="), "=")
	if !found {
		return "#", key
	}
	return key, value
}

// mayContain reports whether a record may have a fact.
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

// mayMatch reports whether a record of the shard may match f.
func (p *Part) mayMatch(f store.Filter) bool {
	if f.Timed() {
		dated := p.Undated < p.Records
		before := !f.Since.IsZero() && p.Last < store.Micros(f.Since)
		after := !f.Until.IsZero() && p.First >= store.Micros(f.Until)
		if !dated || before || after {
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

// isSorted reports whether the values are sorted, as the lookup requires.
func (f Facts) isSorted() bool {
	for _, values := range f {
		if !slices.IsSorted(values) {
			return false
		}
	}
	return true
}
