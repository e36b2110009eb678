package chat

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"lens/store"
)

// readError makes of an error of split what a person can act on. The decoder's own words are not among it: they may quote the file.
func readError(op string, err error) error {
	var known *store.Error
	if errors.As(err, &known) {
		return err
	}
	failed := &store.Error{Code: store.CodeInvalid, Op: op, Hint: "Download the export again and import the new file."}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errEmpty):
		failed.Message = "the file is empty"
	case errors.Is(err, errScalar):
		failed.Message = "the file is JSON, but neither a list of conversations nor a conversation"
	case errors.Is(err, errTooLarge):
		failed.Code, failed.Message = store.CodeTooLarge, "one conversation is larger than 256 MiB"
		failed.Hint = "No chat grows that large; check where the file comes from."
	case errors.Is(err, io.ErrUnexpectedEOF):
		failed.Message = "the JSON stops in the middle: the file is incomplete"
	case errors.As(err, &syntax) && syntax.Err != nil && strings.Contains(syntax.Err.Error(), "max depth"):
		failed.Message = "the JSON is nested more than 10,000 levels deep, which no chat is"
		failed.Hint = "Check where the file comes from; a fresh export will do."
	case errors.As(err, &syntax) && syntax.ByteOffset == 0:
		failed.Message = "the file is not JSON"
		failed.Hint = "Choose the zip that the chat service sent, or the conversations.json in it."
	case errors.As(err, &syntax):
		failed.Message = "the JSON is damaged after byte " + strconv.FormatInt(syntax.ByteOffset, 10)
	default:
		failed.Code, failed.Message, failed.Err = store.CodeUnavailable, "the file could not be read", err
		failed.Hint = "Check that the disk is there and the file may be read, then import it again."
	}
	return failed
}
