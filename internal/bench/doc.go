// Package bench compares the vector index with other ways for a Go program to search vectors. It has tests only, and
// is a module of its own, so that Lens does not depend on the libraries that it is compared with.
//
//	make bench-index
//
// prints a table, and the time of Peek as a whole. Times are CPU times of one thread, so that a busy machine gives
// nearly the same figures as an idle one. Those of Postgres, which is another process, and of Peek, which uses all
// threads, are wall-clock times.
package bench
