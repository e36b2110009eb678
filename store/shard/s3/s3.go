// Package s3 implements shard.Bucket for S3, or any server with its protocol.
//
// The AWS SDK's chain finds credentials and region: environment, ~/.aws, the role of a container or machine.
// All connections use the caller's transport. Temporary failures are retried with growing, random waits until
// ctx is over. A silent server times out. An interrupted body resumes where it stopped, if the object is
// unchanged. Errors contain no secret, signature or URL, and nothing is logged.
package s3

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	waits "lens/internal/retry"
	"lens/store/shard"
)

// Options selects the server and its timeouts. The zero value is AWS, or the server in AWS_ENDPOINT_URL_S3.
type Options struct {
	Endpoint    string        // URL of an S3 server; empty: from the environment
	IdleTimeout time.Duration // longest time without a byte sent or received; 0: 10 s
	Attempts    int           // of a request, and of resuming a body without progress; 0: 6
}

// firstWait is the approximate wait before the second attempt. The following ones double.
const firstWait = 100 * time.Millisecond

// Bucket is a prefix of a bucket. It is safe for concurrent use.
type Bucket struct {
	client      *s3.Client
	name        string
	prefix      string // empty, or ends with a slash
	maxAttempts int
	pageSize    int32 // objects per list request; 0: the server's default
}

var _ shard.Bucket = (*Bucket)(nil)

// New returns the bucket of an address like s3://bucket/prefix. It does not connect. Errors: invalid for a
// bad address or a missing region, unavailable if the SDK's settings cannot be loaded.
func New(ctx context.Context, transport *http.Transport, address string, opts Options) (*Bucket, error) {
	name, prefix, err := parse(address)
	if err != nil {
		return nil, err
	}
	b := &Bucket{name: name, prefix: prefix, maxAttempts: cmp.Or(opts.Attempts, 6)}
	settings, transport, err := load(ctx, transport)
	if err != nil {
		return nil, badSettings(ctx, err)
	}
	b.client = s3.NewFromConfig(settings, func(o *s3.Options) {
		o.HTTPClient = newIdleTimeoutClient(transport, cmp.Or(opts.IdleTimeout, 10*time.Second))
		if opts.Endpoint != "" {
			o.BaseEndpoint = &opts.Endpoint
		}
		if o.BaseEndpoint != nil { // such servers expect the bucket in the path and ignore regions
			o.UsePathStyle = true
			o.Region = cmp.Or(o.Region, "us-east-1")
		}
		// The manifest's checksums verify reads, the signature verifies writes; some servers support no other
		// checksums.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		o.Retryer = b.retryer()
	})
	if b.client.Options().Region == "" {
		return nil, &errs.Error{Code: errs.Invalid, Op: "s3", Message: "no AWS region is set", Hint: "set AWS_REGION"}
	}
	return b, nil
}

// Endpoint returns the URL of the server; empty for AWS.
func (b *Bucket) Endpoint() string { return aws.ToString(b.client.Options().BaseEndpoint) }

// load loads the SDK's settings. Lookups for them use the dialer, proxy and TLS configuration of transport.
// The returned transport trusts the certificate bundle that the settings name.
func load(ctx context.Context, transport *http.Transport) (aws.Config, *http.Transport, error) {
	lookups := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.Proxy, t.DialContext, t.TLSClientConfig = transport.Proxy, transport.DialContext, transport.TLSClientConfig.Clone()
	})
	settings, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(lookups), config.WithLogger(logging.Nop{}))
	if err != nil {
		return settings, nil, err
	}
	if settings.Credentials != nil {
		settings.Credentials = credentialsProvider{settings.Credentials}
	}
	if trusting, is := settings.HTTPClient.(*awshttp.BuildableClient); is && trusting != lookups {
		transport = transport.Clone()
		transport.TLSClientConfig = trusting.GetTransport().TLSClientConfig
	}
	return settings, transport, nil
}

// attempts counts those of resuming a body.
func (b *Bucket) attempts() waits.Attempts {
	return waits.Attempts{Max: b.maxAttempts, First: firstWait}
}

func (b *Bucket) retryer() aws.Retryer {
	standard := retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = b.maxAttempts
		o.Backoff = retry.BackoffDelayerFunc(func(n int, _ error) (time.Duration, error) {
			return waits.Backoff(firstWait, max(n, 1)), nil
		})
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(retryBrokenReads))
	})
	// Concurrent writers: the retry reports whether its condition still holds.
	return retry.AddWithErrorCodes(standard, "ConditionalRequestConflict", "OperationAborted")
}

// bucketName matches a valid bucket name. Any other would become part of a host name.
var bucketName = lazyregexp.New(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// parse splits an address like s3://bucket/prefix.
func parse(address string) (bucket, prefix string, err error) {
	rest, is := strings.CutPrefix(address, "s3://")
	bucket, prefix, _ = strings.Cut(rest, "/")
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		if prefix != path.Clean(prefix) || strings.HasPrefix(prefix, "..") {
			is = false
		}
		prefix += "/"
	}
	if !is || !bucketName().MatchString(bucket) {
		return "", "", &errs.Error{
			Code: errs.Invalid, Op: "s3: address", Message: "not a bucket address", Hint: "use s3://bucket/prefix",
		}
	}
	return bucket, prefix, nil
}

// credentialsProvider is the SDK's chain of credentials, without its error texts, which may contain secrets.
type credentialsProvider struct{ aws.CredentialsProvider }

func (c credentialsProvider) Retrieve(ctx context.Context) (aws.Credentials, error) {
	found, err := c.CredentialsProvider.Retrieve(ctx)
	if err != nil && ctx.Err() == nil {
		err = errNoCredentials
	}
	return found, err
}

var errNoCredentials error = &errs.Error{
	Code: errs.Unavailable, Op: "s3", Message: "no S3 credentials found",
	Hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give this machine a role",
}

func badSettings(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	failure := &errs.Error{
		Code: errs.Unavailable, Op: "s3", Message: "cannot load the AWS settings",
		Hint: "check ~/.aws/config and the environment variables that begin with AWS_",
	}
	var missing config.SharedConfigProfileNotExistError
	if errors.As(err, &missing) {
		failure.Message = "AWS_PROFILE names a profile that does not exist"
		failure.Hint = "run aws configure list-profiles"
	}
	return failure
}
