// Package peers compares vecindex with what else a Go program could search vectors with. It is tests only:
//
//	go test -count=1 -v -run Table ./store/vecindex/peers -args -table
//
// prints one table, and how long Peek takes with all around it. Times are those of the processor, so that a busy machine says nearly the same as a quiet one, and of one
// thread; those of Postgres, which is another process, and of Peek, which uses all threads, are by the clock.
package peers
