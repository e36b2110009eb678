package store

// Statistics are the figures of a whole collection that BM25 needs to score a part of it as it would
// score all.
type Statistics struct {
	Records  int   // in the collection
	Length   int64 // number of index terms in all records
	DocFreqs []int // number of records with each requested term, in the order of the request
}
