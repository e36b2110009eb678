package chat

import (
	"io"
	"iter"
)

// Elements yields the JSON of each element of the array in r, or of each value of a file with several, such as the
// lines of JSON Lines. It is well-formed and the consumer's to keep. An error is a *errs.Error with Op op, and the last
// value.
//
// Behind malformed JSON it goes on with the next object that begins as the element before it does, or a line, and of
// which accepts says that it is an element. The error at the end says where it was and how much was skipped. Objects
// deeper in the damaged element are tried, too. accepts is called between two values.
//
// Stream is faster, and the choice where an element is a conversation. Elements is for formats that need several to
// make one, or that keep theirs in a member of their own.
func Elements(op string, r io.Reader, accepts func(json []byte) bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		stopped := false
		err := split(r, MaxConversation, (*splitter).one, accepts, func(value []byte) bool {
			stopped = !yield(value, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, readError(op, err))
		}
	}
}
