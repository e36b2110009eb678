// Package quality measures how well the whole engine ranks: labelled archives go the way of a person's own, through import,
// embedding and Peek. It holds tests only; `make quality` prints the table, and testdata/quality.golden keeps it, so that a change of
// ranking is a diff.
//
// The collections are:
//
//   - LoCoMo dev: five people, an archive each, and 760 questions with the turns that answer them. 38 of them are answered only by what
//     an assistant said before the user said anything, which is in no turn: they are not asked.
//   - Cranfield: 1,400 abstracts, each a conversation of one turn (its title asks, its text answers), so that nothing is context to
//     anything, and 225 queries.
//   - Known item: one person's export of 2023. The query is the title of a conversation, which is not indexed; a turn of that
//     conversation is what is looked for.
//
// Modes that need vectors are measured with use-lite, found through LENS_TEST_USE_LITE, the folder with its files.
package quality
