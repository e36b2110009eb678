// Package bench compares vecindex with other ways for a Go program to search vectors. It has tests
// only:
//
//	go test -count=1 -v -run Table ./internal/bench -args -table
//
// prints a table, and the time of Peek as a whole. Times are CPU times of one thread, so that a busy
// machine gives nearly the same figures as an idle one. Those of Postgres, which is another process,
// and of Peek, which uses all threads, are wall-clock times.
package bench
