// Package s3 is a bucket of published shards in S3, or in any server that speaks its protocol.
//
// Credentials and the region are found by the AWS SDK's chain: environment, ~/.aws, a container's or a machine's role. Every connection
// is made as the caller's transport does it. What fails for a moment is tried again with growing, random waits, as long as the
// context lasts; a server that says nothing for a while is given up on; a body that breaks off is continued where it broke, if the object is still the same. No
// error holds a secret, a signature or a URL, and nothing is logged.
package s3

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"

	waits "lens/internal/retry"
	"lens/store"
	"lens/store/shard"
)

// Options says where S3 is and how patient its user is. The zero value is AWS, or the server that AWS_ENDPOINT_URL_S3 names.
type Options struct {
	Endpoint    string        // URL of a server that speaks S3; "": what the environment says
	IdleTimeout time.Duration // how long a server may neither send nor take a byte; 0: 10 s
	Attempts    int           // of a request, and of going on with a body that brings nothing; 0: 6
}

// firstWait is about how long the first wait between tries is. The others double.
const firstWait = 100 * time.Millisecond

// Bucket is a prefix of a bucket. It is safe for concurrent use.
type Bucket struct {
	client   *s3.Client
	name     string
	prefix   string // empty, or with a slash at its end
	attempts int
	pageSize int32 // objects listed by one request; 0: as many as the server likes
}

var _ shard.Bucket = (*Bucket)(nil)

// New returns the bucket that an address like s3://bucket/prefix names. It asks nothing of the network.
// Errors: invalid for an address that is none and where no region is set, unavailable when the SDK's settings cannot be read.
func New(ctx context.Context, transport *http.Transport, address string, opts Options) (*Bucket, error) {
	name, prefix, err := parse(address)
	if err != nil {
		return nil, err
	}
	b := &Bucket{name: name, prefix: prefix, attempts: cmp.Or(opts.Attempts, 6)}
	settings, transport, err := load(ctx, transport)
	if err != nil {
		return nil, badSettings(ctx, err)
	}
	b.client = s3.NewFromConfig(settings, func(o *s3.Options) {
		o.HTTPClient = newIdleTimeoutClient(transport, cmp.Or(opts.IdleTimeout, 10*time.Second))
		if opts.Endpoint != "" {
			o.BaseEndpoint = &opts.Endpoint
		}
		if o.BaseEndpoint != nil { // such servers know buckets by path, and care little for regions
			o.UsePathStyle = true
			o.Region = cmp.Or(o.Region, "us-east-1")
		}
		// What is read is checked by the manifest's checksums, what is written by the signature; not every server knows more.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		o.Retryer = b.retryer()
	})
	if b.client.Options().Region == "" {
		return nil, &store.Error{Code: store.CodeInvalid, Op: "s3", Message: "it is not said in which AWS region the bucket is", Hint: "Set AWS_REGION."}
	}
	return b, nil
}

// Endpoint returns the URL of the server that is asked; "" when it is AWS.
func (b *Bucket) Endpoint() string { return aws.ToString(b.client.Options().BaseEndpoint) }

// load reads the SDK's settings. What they need of the network they ask for as transport would; a bundle of certificates that they name
// is trusted by the transport that it returns.
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

func (b *Bucket) retryer() aws.Retryer {
	standard := retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = b.attempts
		o.Backoff = retry.BackoffDelayerFunc(func(n int, _ error) (time.Duration, error) { return waits.Backoff(firstWait, max(n, 1)), nil })
		o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(retryBrokenReads))
	})
	// Two wrote at once: who tries again hears whether his condition still holds.
	return retry.AddWithErrorCodes(standard, "ConditionalRequestConflict", "OperationAborted")
}

// bucketName is what S3 takes for one. Anything else would end up in the name of a host.
var bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// parse takes an address like s3://bucket/prefix apart.
func parse(address string) (bucket, prefix string, err error) {
	rest, is := strings.CutPrefix(address, "s3://")
	bucket, prefix, _ = strings.Cut(rest, "/")
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		if prefix != path.Clean(prefix) || strings.HasPrefix(prefix, "..") {
			is = false
		}
		prefix += "/"
	}
	if !is || !bucketName.MatchString(bucket) {
		return "", "", &store.Error{Code: store.CodeInvalid, Op: "s3", Message: "that is no address of a bucket", Hint: "Write it like s3://bucket/prefix."}
	}
	return bucket, prefix, nil
}

// chain is the SDK's chain of credentials. What it says when it finds none may say too much.
type credentialsProvider struct{ aws.CredentialsProvider }

func (c credentialsProvider) Retrieve(ctx context.Context) (aws.Credentials, error) {
	found, err := c.CredentialsProvider.Retrieve(ctx)
	if err != nil && ctx.Err() == nil {
		err = errNoCredentials
	}
	return found, err
}

var errNoCredentials error = &store.Error{
	Code: store.CodeUnavailable, Op: "s3", Message: "no credentials for S3 were found",
	Hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give this machine a role.",
}

func badSettings(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	told := &store.Error{Code: store.CodeUnavailable, Op: "s3", Message: "the settings of the AWS SDK cannot be used", Hint: "Look at ~/.aws/config and at the environment variables that begin with AWS_."}
	var missing config.SharedConfigProfileNotExistError
	if errors.As(err, &missing) {
		told.Message, told.Hint = "AWS_PROFILE names a profile that does not exist", "aws configure list-profiles tells which do."
	}
	return told
}
