package store

// Statistics is what BM25 must know of a whole collection to score a part of it as if it had seen all.
type Statistics struct {
	Records int   // in all
	Length  int64 // index terms in all of their texts
	DocFreqs []int // how many records hold each of the terms that were asked about, in their order
}
