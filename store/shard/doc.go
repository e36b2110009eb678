// Package shard publishes the documents and records of an archive as an index of immutable objects in a folder or a bucket, and reads it
// from there as if it were the archive.
//
// The rules are:
//
//   - An object never changes: its name has its checksum. The manifest names all others with their lengths and checksums; it alone is
//     replaced, last, and only in place of the one that was read. So who reads meanwhile reads one generation, whole.
//   - Equal contents make equal bytes, whoever publishes them and however often. So what is there is not sent again.
//   - A conversation (a document, a record) lies in one shard. Where shards begin is decided by the records themselves: see partition.go.
//   - A shard ranks as the whole does: how many records hold a term is known of the whole, in an object of its own. Below 1,024 dimensions a view of
//     shards finds what the archive finds, to the last digit; from there on what store/vecindex promises holds of each shard.
//   - What cannot match is not fetched: the manifest has each shard's times, and the values of its metadata where they are few.
//   - No byte is believed before its checksum was. Damage, and what another version of Lens wrote, is an error that says so.
//   - Whoever reads the bucket reads the texts, their metadata and the paths of their files. Chats are never published.
//
// # What is published
//
//	indexes/model=<model>/dims=<n>/manifest.json          Manifest: the present generation
//	indexes/model=<model>/dims=<n>/shard-<checksum>       records: see footer.go for what is in it
//	indexes/model=<model>/dims=<n>/statistics-<checksum>  like a shard of one record, which holds every term of the
//	                                                      corpus as often as there are records that do
//
// # Large collections
//
// The benchmarks measure one shard of made-up records (384 dimensions, 120 words):
//
//	LENS_BENCH_RECORDS=100000 go test -run '^$' -bench Query -benchtime 300x ./store/shard
//
// On two Zen 4 cores that twenty other processes shared, medians in milliseconds; the slowest of twenty queries took three to seven
// times as long, which says more of the others:
//
//	records                                 5,000   20,000   100,000
//	a query: 200 nearest, eight terms,
//	similarities, five records                1.1      3.8       8.4
//	the same, filtered by metadata            1.2      4.8      16.1
//	the same, among 3,000 by time             0.7      2.7       4.1
//	opening, checksum and catalog included             278             189 MB/s; the transfer comes on top
//	bytes a record                                   2,624             about 380,000 records a GB
//	heap in MB                                3.4      9.3      33.6
//
// The rest is arithmetic from that, not measured: a query of everything costs about 0.7 ms and 0.08 ms for every thousand records, so a
// million are some 80 ms of one processor. What one process can hold is bounded by its disk (10 GB of /tmp on Lambda: 3.8 million
// records), and before that by patience.
//
//   - Up to 1,000,000 records: one function, all shards open. Over 100,000 at 0.5 GB and 10 ms a query, a million queries are
//     5,000 GB·s, 0.07 USD at 0.0000133 USD a GB·s (arm64), beside 0.20 USD for the requests; over 1,000,000 at 1 GB and 80 ms,
//     80,000 GB·s and 1.07 USD. Embedding the query comes on top. Prices are list prices: look them up. A cold start fetches what the first
//     filter needs, and takes 0.3 s for every 50 MB and processor beside the transfer.
//   - Up to some ten million: several functions, each with a slice of the manifest (every n-th shard, so that all have some of every
//     time). Each returns its 200 best by words and 200 nearest with both scores, whoever asks joins them by retrieval/rank as one process does:
//     statistics are those of the whole, so nothing else need be known. Ten functions cost what one would that could hold everything,
//     and ten times the requests; they answer in the time of the slowest. Lens does not join answers of several functions yet: a
//     function of today holds all shards.
//   - Beyond that, or where records change by the minute, where writers are many, or where a filter is by values that most shards have
//     and few records: Postgres (store/postgres). An index by HNSW does not read all vectors for every query, which a shard does; publishing reads the whole archive for every generation. It wants a server that runs all month; a million queries a
//     month are some 0.4 a second, which no server is needed for.
package shard
