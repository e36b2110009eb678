package chat

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"lens/internal/errs"

	"github.com/go-json-experiment/json/jsontext"
)

// readError turns an error of split into one with a reason and a hint for the user. It drops the decoder's message,
// which may quote the file.
func readError(op string, err error) error {
	var known *errs.Error
	if errors.As(err, &known) {
		return err
	}
	failed := &errs.Error{Code: errs.Invalid, Op: op, Hint: HintDownload}
	var syntax *jsontext.SyntacticError
	var damage *damageError
	switch {
	case errors.As(err, &damage) && damage.end != nil:
		var end *errs.Error
		errors.As(readError(op, damage.end), &end)
		whole := damageError{offset: damage.offset, bytes: damage.bytes, end: errors.New(end.Message)}
		failed.Code, failed.Message, failed.Hint, failed.Err = end.Code, whole.Error(), end.Hint, end.Err
	case errors.As(err, &damage):
		failed.Message = damage.Error()
	case errors.Is(err, errEmpty):
		failed.Message = "the file is empty"
	case errors.Is(err, errScalar):
		failed.Message = "the JSON is neither a conversation nor a list of conversations"
	case errors.Is(err, errTooLarge):
		return TooLarge(op)
	case errors.Is(err, io.ErrUnexpectedEOF):
		failed.Message = "the file is incomplete, its JSON ends early"
	case errors.As(err, &syntax) && syntax.Err != nil && strings.Contains(syntax.Err.Error(), "max depth"):
		failed.Message = "the JSON is nested more than 10,000 levels deep"
		failed.Hint = "check where the file came from, or download the export again"
	case errors.As(err, &syntax) && syntax.ByteOffset == 0:
		failed.Message = "not a JSON file"
		failed.Hint = "use the zip from the chat service, or its conversations.json"
	case errors.As(err, &syntax):
		failed.Message = "invalid JSON after byte " + strconv.FormatInt(syntax.ByteOffset, 10)
	default:
		return ReadFailed(op, err)
	}
	return failed
}

// TooLarge returns the error of a conversation over MaxConversation.
func TooLarge(op string) error {
	return &errs.Error{
		Code: errs.TooLarge, Op: op, Message: "a conversation is larger than 256 MiB",
		Hint: "check where the file came from; no chat grows that large",
	}
}

// HintDownload is the hint for an export that is incomplete or damaged.
const HintDownload = "download the export again and import the new file"

// ReadFailed returns the error of a file that cannot be read to its end: err itself if it is a *errs.Error.
func ReadFailed(op string, err error) error {
	var known *errs.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, errTooLarge):
		return TooLarge(op)
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: op, Message: "reading failed", Err: err,
		Hint: "check that the disk is connected and that you can read the file, then import it again",
	}
}
