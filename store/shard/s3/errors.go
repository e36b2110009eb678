package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"lens/store"
	"lens/store/shard"
)

// refusals says what S3 means by its error codes, and what to do.
var refusals = map[string]struct{ message, hint string }{
	"SignatureDoesNotMatch":        {"S3 does not accept the secret key", "Check AWS_SECRET_ACCESS_KEY, or the profile that AWS_PROFILE names."},
	"InvalidAccessKeyId":           {"S3 does not know the access key", "Check AWS_ACCESS_KEY_ID, or the profile that AWS_PROFILE names."},
	"XAdminUserNotFound":           {"S3 does not know the access key", "Check AWS_ACCESS_KEY_ID, or the profile that AWS_PROFILE names."}, // versitygw
	"InvalidToken":                 {"S3 does not accept the session token", "Check AWS_SESSION_TOKEN, or sign in again."},
	"ExpiredToken":                 {"the credentials for S3 have expired", "Sign in again."},
	"RequestTimeTooSkewed":         {"S3 and this machine disagree about the time", "Set this machine's clock."},
	"AccessDenied":                 {"S3 does not allow that", "Reading needs s3:GetObject and s3:ListBucket (without it, what is missing looks forbidden); publishing needs s3:PutObject and s3:DeleteObject."},
	"AllAccessDisabled":            {"S3 does not allow that", "The bucket's owner can say why."},
	"PermanentRedirect":            {"the bucket is in another AWS region", "Set AWS_REGION to the bucket's."},
	"AuthorizationHeaderMalformed": {"the bucket is in another AWS region", "Set AWS_REGION to the bucket's."},
	"NoSpaceLeftOnDevice":          {"the server has no room left", "Make room there, or publish elsewhere."},
	"QuotaExceeded":                {"the server has no room left", "Make room there, or publish elsewhere."},
	"SlowDown":                     {"S3 is too busy", "Try again later."},
}

// explain gives what the SDK says the shape of the store's errors. Of the server's words it takes only codes.
func (b *Bucket) wrap(ctx context.Context, op string, err error) error {
	op = "s3: " + op
	var known *store.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &store.Error{Code: store.CodeUnavailable, Op: op, Message: "S3 did not answer in time", Hint: "Look at the network, or try again.", Err: context.DeadlineExceeded}
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, ctx.Err())
	}
	var answer *smithyhttp.ResponseError
	if errors.As(err, &answer) && answer.HTTPStatusCode() >= 300 { // else none came, or not all of it
		return b.refusal(op, answer.HTTPStatusCode(), err)
	}
	return &store.Error{Code: store.CodeUnavailable, Op: op, Message: "S3 cannot be reached", Hint: "Look at the network and at AWS_ENDPOINT_URL_S3, or try again.", Err: cause(err)}
}

// refusal is what an answer with a status means.
func (b *Bucket) refusal(op string, status int, err error) error {
	var coded smithy.APIError
	code := ""
	if errors.As(err, &coded) && safeCode.MatchString(coded.ErrorCode()) {
		code = coded.ErrorCode()
	}
	switch {
	case status == http.StatusNotModified:
		return fmt.Errorf("%s: %w", op, shard.ErrNotModified)
	case status == http.StatusPreconditionFailed, code == "ConditionalRequestConflict":
		return errChanged(op)
	case status == http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%s: %w", op, shard.ErrRange)
	case code == "NoSuchKey":
		return fmt.Errorf("%s: %w", op, shard.ErrNotFound)
	case code == "NoSuchBucket":
		return &store.Error{Code: store.CodeUnavailable, Op: op, Message: "there is no bucket " + b.name, Hint: "Check its name, or make it."}
	}
	told := &store.Error{
		Code: store.CodeUnavailable, Op: op, Message: "S3 refuses that", Hint: "Check the bucket's address and AWS_ENDPOINT_URL_S3.",
		Err: errors.New(cmp.Or(code, "no code") + fmt.Sprintf(", status %d", status)),
	}
	if status >= 500 {
		told.Message, told.Hint = "S3 fails at the moment", "Try again later."
	}
	if known, is := refusals[code]; is {
		told.Message, told.Hint = known.message, known.hint
	}
	return told
}

// plain is what a code looks like. Whatever else a server sends in its place is not repeated.
var safeCode = regexp.MustCompile(`^[A-Za-z.]{1,60}$`)

func errChanged(op string) error { return fmt.Errorf("%s: %w", op, shard.ErrChanged) }

// noS3 says that a server's answer was what.
func badResponse(what string) error {
	return &store.Error{
		Code: store.CodeUnavailable, Op: "s3: get", Message: "the server does not answer as S3 would: " + what, Hint: "Check AWS_ENDPOINT_URL_S3.",
	}
}

// cause returns what lies behind an error of the network, without the URL; nil when nobody knows what else it would say.
func cause(err error) error {
	var sent *url.Error
	var broken interface {
		error
		Timeout() bool
	}
	switch {
	case errors.As(err, &sent):
		return sent.Err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return io.ErrUnexpectedEOF
	case errors.As(err, &broken):
		return broken
	}
	return nil
}

// brokeOff makes the SDK try again when an answer, such as a list, ended before its end.
func retryBrokenReads(err error) aws.Ternary {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errIdle) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}
