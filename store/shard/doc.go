// Package shard publishes the documents and records of an archive as an index of immutable objects in a
// folder or a bucket, and reads it from there as if it were the archive.
//
// The rules are:
//
//   - An object never changes: its name contains its checksum. The manifest lists all other objects with
//     their lengths and checksums. Only the manifest is ever replaced: last, and only if it is still the one
//     that was read. A reader therefore always sees one complete generation.
//   - Equal contents make equal bytes, no matter who publishes them. An existing object is read and sent again only
//     if its bytes are wrong, so publishing repairs an index.
//   - A conversation (a document, a record) lies in one shard. The records themselves decide where shards
//     begin: see partition.go.
//   - A shard ranks like the whole index: an object of its own holds the number of records that contain each
//     term. Below 1,024 dimensions a view of shards finds exactly what the archive finds; above, the promises
//     of store/vecindex hold for each shard.
//   - Readers look for a new generation in the background. Queries do not wait for that.
//   - Shards that cannot match are not fetched: the manifest has the times of each shard, and the values of
//     its metadata if they are few.
//   - No byte is used before its checksum is verified. Damage, and data of another version of Lens, is an
//     error that says so. A verified file is mapped in place. Before every query its size and modification
//     time are compared, and it is verified again after a write. A change during a query counts as damage and
//     does not crash the process.
//   - Readers of the bucket can read the texts, their metadata and the paths of their files. Chats are never
//     published.
//
// # What is published
//
//	indexes/model=<model>/dims=<n>/manifest.json          Manifest: the current generation
//	indexes/model=<model>/dims=<n>/shard-<checksum>       records: see footer.go for the format
//	indexes/model=<model>/dims=<n>/statistics-<checksum>  like a shard of one record, whose count of each term
//	                                                      is the number of records that contain it
//
// # Large collections
//
// The benchmarks of this package measure the processor time of a query. From that, from list prices and from
// the assumptions in its source files, store/shard/plan simulates a month of queries on AWS Lambda. make
// shard-plan runs both. For records of 384 dimensions and 120 words, 2,664 bytes in a shard, measured on 21
// November 2026 on two shared Zen 4 cores (see store/shard/plan/testdata):
//
//	one core: 0.66 ms a shard and 0.05 ms a thousand records for a query, 1.7 ms to open a MB
//
//	records     functions  shards   queries     ms            cold        USD        Postgres,    cheaper from
//	            of MB      of each  a month     p50  p95  p99     %  s     a million  USD a month  queries a month
//	100,000      1 × 1769        5     10,000   125 5961 5968  10.38  5.9      21.70           48        2,188,826
//	100,000      1 × 1769        5  1,000,000    26   36   44   0.16  5.9       4.42           48       10,737,061
//	100,000      1 × 3538        5  1,000,000    18   23   26   0.15  5.5       4.58           48       10,364,200
//	300,000      1 × 1769       13  1,000,000    55   85  147   0.07 16.6       5.18           48        9,195,835
//	1,000,000    1 × 3538       42  1,000,000    85  135  186   0.11 49.5      10.04           48        4,783,039  *
//	1,000,000    4 × 1769       11  1,000,000    61   84  154   0.16 13.9       9.54           48        5,032,113
//	3,000,000   10 × 1769       13  1,000,000    79  109  175   0.18 16.6      20.25          351       17,309,691
//	10,000,000  34 × 1769       13  1,000,000    90  120  188   0.27 16.3      59.87          355        5,919,949
//
//	* starts too slowly for the gateway
//
// These are queries over everything, unfiltered, in hybrid mode, without the time to embed the query. Of the
// 4.42 USD, 3.70 are the base price of a request to the gateway and Lambda. It follows:
//
//   - Up to some 300,000 records, one function of 1,769 MB holds all shards, as cmd/lens-lambda does. The
//     limit is not the query but the cold start: a query without an idle instance waits until a new one has
//     fetched and verified all shards, and the gateway waits at most 29 s. A filter by time or metadata that
//     excludes shards fetches only the others. lens serve --shards on your own machine starts once, and holds
//     as much as its disk and memory allow.
//   - Beyond that, several functions could each hold a slice of the manifest: the shards whose checksums
//     leave one remainder, so that unchanged shards stay in place. This is calculated here but not built:
//     today's function holds all shards. In dense mode the caller could merge the answers by their scores. In
//     hybrid mode a slice would return its 200 best by words and its 200 nearest with both scores, to be
//     merged by retrieval/rank as one process does; every shard already has the statistics of the whole
//     index. Every query asks all functions, so its cost grows with their number.
//   - Postgres (store/postgres) is the better engine where it is cheaper: its server costs the same at any
//     load, and its index does not scan every vector. At a million records that is from five million queries
//     a month, or two a second. It also suits records that change by the minute, many writers (every
//     publication reads the whole archive), and filters by values that occur in most shards but few records.
//     Otherwise it is a server that waits.
package shard
