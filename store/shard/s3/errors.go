package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store/shard"
)

const (
	wrongSecretHint = "check AWS_SECRET_ACCESS_KEY or the profile in AWS_PROFILE"
	unknownKeyHint  = "check AWS_ACCESS_KEY_ID or the profile in AWS_PROFILE"

	// Without s3:ListBucket, S3 reports a missing object as forbidden.
	accessHint = "allow s3:GetObject and s3:ListBucket to read, also s3:PutObject and s3:DeleteObject to publish"
)

// refusals explains S3's error codes.
var refusals = map[string]struct{ message, hint string }{
	"SignatureDoesNotMatch":        {"S3 rejected the secret key", wrongSecretHint},
	"InvalidAccessKeyId":           {"S3 does not know the access key", unknownKeyHint},
	"XAdminUserNotFound":           {"S3 does not know the access key", unknownKeyHint}, // versitygw
	"InvalidToken":                 {"S3 rejected the session token", "check AWS_SESSION_TOKEN, or sign in again"},
	"ExpiredToken":                 {"the credentials for S3 have expired", "sign in again"},
	"RequestTimeTooSkewed":         {"the clocks of S3 and this machine differ", "set this machine's clock"},
	"AccessDenied":                 {"S3 denied access", accessHint},
	"AllAccessDisabled":            {"S3 disabled access to the bucket", "ask its owner"},
	"PermanentRedirect":            {"the bucket is in another AWS region", "set AWS_REGION to the bucket's region"},
	"AuthorizationHeaderMalformed": {"the bucket is in another AWS region", "set AWS_REGION to the bucket's region"},
	"NoSpaceLeftOnDevice":          {"the server is out of space", "free some space there, or publish elsewhere"},
	"QuotaExceeded":                {"the server is out of space", "free some space there, or publish elsewhere"},
	"SlowDown":                     {"S3 is too busy", "try again later"},
}

// wrap converts an error of the SDK to a errs.Error. Of the server's words it keeps only codes.
func (b *Bucket) wrap(ctx context.Context, op string, err error) error {
	op = "s3: " + op
	var known *errs.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &errs.Error{
			Code: errs.Unavailable, Op: op, Message: "S3 did not answer in time",
			Hint: "check the network, or try again", Err: context.DeadlineExceeded,
		}
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, ctx.Err())
	}
	var answer *smithyhttp.ResponseError
	if errors.As(err, &answer) && answer.HTTPStatusCode() >= 300 { // otherwise there was no complete response
		return b.refusal(op, answer.HTTPStatusCode(), err)
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: op, Message: "cannot reach S3",
		Hint: "check the network and AWS_ENDPOINT_URL_S3, or try again", Err: cause(err),
	}
}

// refusal interprets a response with an error status.
func (b *Bucket) refusal(op string, status int, err error) error {
	var coded smithy.APIError
	code := ""
	if errors.As(err, &coded) && safeCode().MatchString(coded.ErrorCode()) {
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
		return &errs.Error{
			Code: errs.Unavailable, Op: op, Message: "there is no bucket " + b.name,
			Hint: "check its name, or create it",
		}
	}
	failure := &errs.Error{
		Code: errs.Unavailable, Op: op, Message: fmt.Sprintf("S3 rejected the request (HTTP %d)", status),
		Hint: "check the bucket's address and AWS_ENDPOINT_URL_S3",
		Err:  errors.New(cmp.Or(code, "no code") + fmt.Sprintf(", status %d", status)),
	}
	if status >= 500 {
		failure.Message, failure.Hint = fmt.Sprintf("S3 failed (HTTP %d)", status), "try again later"
	}
	if known, is := refusals[code]; is {
		failure.Message, failure.Hint = known.message, known.hint
	}
	return failure
}

// safeCode matches an S3 error code. Any other text of the server is not repeated.
var safeCode = lazyregexp.New(`^[A-Za-z.]{1,60}$`)

func errChanged(op string) error { return fmt.Errorf("%s: %w", op, shard.ErrChanged) }

// badResponse is the error for a response that S3 would not send.
func badResponse(what string) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "s3: get", Message: "unexpected response from S3: " + what,
		Hint: "check AWS_ENDPOINT_URL_S3",
	}
}

// cause returns the network error inside err without the URL, or nil if its text is not known to be safe.
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

// retryBrokenReads makes the SDK retry when a response, such as a list, ends early.
func retryBrokenReads(err error) aws.Ternary {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errIdle) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}
