package terms

import "iter"

// Tokens yields where the tokens of a text begin and end, in bytes, those of scripts without spaces as runs.
func Tokens(text string) iter.Seq2[int, int] { return spans(text, next) }

// WordsOf yields where the words between the joints of a token begin and end, in bytes.
func WordsOf(token string) iter.Seq2[int, int] { return spans(token, wordAt) }

func spans(text string, at func(string, int) (kind, int)) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(text); {
			kind, end := at(text, i)
			if (kind == letter || kind == unspaced) && !yield(i, end) {
				return
			}
			i = end
		}
	}
}
