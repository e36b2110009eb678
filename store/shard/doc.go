// Package shard publishes the documents and records of an archive as an index of immutable objects in a folder or a bucket, and reads it
// from there as if it were the archive.
//
// The rules are:
//
//   - An object never changes: its name has its checksum. The manifest names all others with their lengths and checksums; it alone is
//     replaced, last, and only in place of the one that was read. So who reads meanwhile reads one generation, whole.
//   - Equal contents make equal bytes, whoever publishes them and however often. So what is there is not sent again:
//     it is read, and sent again only where its bytes are not those any more. To publish is to mend.
//   - A conversation (a document, a record) lies in one shard. Where shards begin is decided by the records themselves: see partition.go.
//   - A shard ranks as the whole does: how many records hold a term is known of the whole, in an object of its own. Below 1,024 dimensions a view of
//     shards finds what the archive finds, to the last digit; from there on what store/vecindex promises holds of each shard.
//   - A new generation is noticed by those who read: they look for one beside their queries, which do not wait for that.
//   - What cannot match is not fetched: the manifest has each shard's times, and the values of its metadata where they are few.
//   - No byte is believed before its checksum was. Damage, and what another version of Lens wrote, is an error that says so. A file
//     that was verified is mapped where it lies: it is looked at before every query, verified anew when it was written to, and what changes it
//     while a query reads is damage, not the end of the process.
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
// What a query takes of a processor is measured by the benchmarks of this package; store/shard/plan simulates a month of queries on AWS
// Lambda from that, from list prices and from assumptions that its files name with where they come from. make shard-plan does both. Of records
// of 384 dimensions and 120 words, 2,664 bytes in a shard, measured on 21 November 2026 on two Zen 4 cores that others used as well, all of it in
// store/shard/plan/testdata:
//
//	one core: 0.66 ms a shard and 0.05 ms a thousand records for a query, 1.7 ms to open a MB
//
//	records     functions  shards   queries     ms            cold        USD        Postgres,    cheaper from
//	            of MB      of each  a month     p50  p95  p99     %  s     a million  USD a month  queries a month
//	100,000      1 × 1769        5     10,000   125 5961 5968  10.38  5.9      21.70           48        2,188,826
//	100,000      1 × 1769        5  1,000,000    26   36   44   0.16  5.9       4.42           48       10,737,061
//	100,000      1 × 3538        5  1,000,000    18   23   26   0.15  5.5       4.58           48       10,364,200
//	300,000      1 × 1769       13  1,000,000    55   85  147   0.07 16.6       5.18           48        9,195,835
//	1,000,000    1 × 3538       42  1,000,000    85  135  186   0.11 49.5      10.04           48        4,783,039  begins too late
//	1,000,000    4 × 1769       11  1,000,000    61   84  154   0.16 13.9       9.54           48        5,032,113
//	3,000,000   10 × 1769       13  1,000,000    79  109  175   0.18 16.6      20.25          351       17,309,691
//	10,000,000  34 × 1769       13  1,000,000    90  120  188   0.27 16.3      59.87          355        5,919,949
//
// That is of everything, without a filter, in hybrid mode; embedding the query comes on top. Of the 4.42 USD 3.70 are the gateway's and
// Lambda's for a request at all. So:
//
//   - Up to some 300,000 records one function of 1,769 MB holds all shards, as cmd/lens-lambda does. What bounds it is not the query but the
//     beginning: who finds no idle instance waits until one has fetched and checked all shards, others begin beside it meanwhile, and the gateway
//     waits 29 s. A filter that leaves shards out, by time or by metadata, fetches only the others. lens serve --shards on a machine of one's own
//     begins once, and holds what its disk and its memory do.
//   - Beyond that several functions can have a slice of the manifest each: the shards whose checksums leave one remainder, so that what a
//     publication does not change stays where it is. This is reckoned here and not built: a function of today holds all shards. In dense
//     mode whoever asks could join the answers by their scores as they are. In hybrid mode a slice would have to return its 200 best by words
//     and its 200 nearest with both scores, to be joined by retrieval/rank as one process does it; statistics are those of the whole
//     for every shard, so nothing else need be known. Every query asks all functions: it costs as much more as there are of them.
//   - Postgres (store/postgres) is the better engine where it is cheaper: its server costs the same however much it is asked, and its index
//     does not look at every vector. At a million records that is from five million queries a month on, or two a second. It is also
//     where records change by the minute or writers are many, for every publication reads the whole archive; and where filters are by values
//     that most shards have and few records. Else it is a server that waits.
package shard
