package s3_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"lens/internal/errs"
	"lens/store/shard"
	"lens/store/shard/buckettest"
	"lens/store/shard/s3"
	"lens/store/shard/s3/s3test"
)

// serve starts a server with this handler and points the SDK to it.
func serve(t *testing.T, answer http.HandlerFunc) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	s3test.Environment(t, server.URL)
}

// refuse sends an error in S3's format.
func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>X-Amz-Signature=abc test-secret</Message><StringToSign>wrong-secret</StringToSign></Error>", code)
}

// keepsSecrets checks that an error contains no credentials and no signed request.
func keepsSecrets(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; {
		for _, secret := range []string{"test-secret", "wrong-secret", "test-access", "Signature=", "X-Amz", "http://", "StringToSign"} {
			if strings.Contains(fmt.Sprintf("%v %+v", e, e), secret) {
				t.Errorf("an error contains %q: %v", secret, e)
			}
		}
		next, is := e.(interface{ Unwrap() error })
		if !is {
			return
		}
		e = next.Unwrap()
	}
}

// all calls every method of a bucket and returns the errors.
func all(t *testing.T, b shard.Bucket) map[string]error {
	_, got := b.Get(t.Context(), "k", shard.GetOptions{})
	_, putting := b.Put(t.Context(), "k", buckettest.Body("text"), shard.PutOptions{})
	var listed error
	for _, err := range b.List(t.Context(), "") {
		listed = err
	}
	return map[string]error{"get": got, "put": putting, "list": listed, "delete": b.Delete(t.Context(), "k")}
}

func TestErrors_WrongKey(t *testing.T) {
	for name, c := range map[string]struct{ variable, message string }{
		"secret": {"AWS_SECRET_ACCESS_KEY", "secret key"},
		"access": {"AWS_ACCESS_KEY_ID", "access key"},
	} {
		t.Run(name, func(t *testing.T) {
			address := s3test.New(t).Address()
			t.Setenv(c.variable, "wrong-secret")
			for what, err := range all(t, open(t, address, s3.Options{})) {
				wantStoreError(t, err, errs.Unavailable, c.message, c.variable)
				if !strings.Contains(err.Error(), what) {
					t.Errorf("%s: %v", what, err)
				}
				keepsSecrets(t, err)
			}
		})
	}
}

func TestErrors_MissingBucket(t *testing.T) {
	address := s3test.New(t).Address()
	for what, err := range all(t, open(t, address+"-not", s3.Options{})) {
		if strings.Contains(fmt.Sprint(err), "no such object") {
			t.Errorf("%s: %v", what, err)
		}
		wantStoreError(t, err, errs.Unavailable, "there is no bucket "+strings.TrimPrefix(address, "s3://")+"-not", "name")
	}
	b := open(t, address, s3.Options{})
	_, err := b.Get(t.Context(), "missing", shard.GetOptions{})
	wantError(t, err, shard.ErrNotFound)
	_, err = b.Put(t.Context(), "missing", buckettest.Body("text"), shard.PutOptions{IfMatch: `"0123456789abcdef0123456789abcdef"`})
	wantError(t, err, shard.ErrChanged)
}

func TestErrors_NoCredentials(t *testing.T) {
	serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	for _, err := range all(t, open(t, "s3://bucket", s3.Options{})) {
		wantStoreError(t, err, errs.Unavailable, "no S3 credentials", "AWS_ACCESS_KEY_ID")
	}
}

func TestErrors_InvalidSettings(t *testing.T) {
	serve(t, http.NotFound)
	t.Setenv("AWS_PROFILE", "nobody")
	_, err := s3.New(t.Context(), &http.Transport{}, "s3://bucket", s3.Options{})
	wantStoreError(t, err, errs.Unavailable, "profile", "profiles")
	t.Setenv("AWS_PROFILE", "")
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	t.Setenv("AWS_ENDPOINT_URL_S3", "")
	_, err = s3.New(t.Context(), &http.Transport{}, "s3://bucket", s3.Options{})
	wantStoreError(t, err, errs.Invalid, "region", "AWS_REGION")
}

func TestNew_CustomCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "text") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	s3test.Environment(t, server.URL)
	_, err := get(t, open(t, "s3://bucket", s3.Options{Attempts: 1}), "k")
	wantStoreError(t, err, errs.Unavailable, "cannot reach S3", "network")
	bundle := filepath.Join(t.TempDir(), "bundle.pem")
	must(t, os.WriteFile(bundle, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	t.Setenv("AWS_CA_BUNDLE", bundle)
	if got, err := get(t, openBy(t, &http.Transport{DisableKeepAlives: true}, "s3://bucket", s3.Options{Attempts: 1}), "k"); err != nil || got != "text" {
		t.Errorf("got %q, %v", got, err)
	}
	must(t, os.WriteFile(bundle, []byte("no certificate"), 0o600))
	_, err = s3.New(t.Context(), &http.Transport{}, "s3://bucket", s3.Options{})
	wantStoreError(t, err, errs.Unavailable, "settings", "AWS_")
}

func TestParse(t *testing.T) {
	for address, want := range map[string]string{
		"s3://bucket": "bucket ", "s3://bucket/": "bucket ", "s3://my.bucket-1/a/b": "my.bucket-1 a/b/", "s3://bucket/a/": "bucket a/",
	} {
		bucket, prefix, err := s3.Parse(address)
		if got := bucket + " " + prefix; err != nil || got != want {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
	for _, address := range []string{"", "bucket", "s3://", "s3:///a", "s3://B_d/a", "s3://a@b/c", "s3://bucket/../a", "s3://bucket/a//b", "https://bucket"} {
		_, err := s3.New(t.Context(), &http.Transport{}, address, s3.Options{})
		wantStoreError(t, err, errs.Invalid, "address", "s3://bucket/prefix")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("s3://bucket/a/b")
	f.Add("s3://bucket@evil/../..")
	f.Fuzz(func(t *testing.T, address string) {
		bucket, prefix, err := s3.Parse(address)
		if err == nil && (strings.ContainsAny(bucket, "/@:?#%") || strings.Contains("/"+prefix, "/../") || strings.HasPrefix(prefix, "/")) {
			t.Errorf("%q: %q %q", address, bucket, prefix)
		}
	})
}

func TestErrors_Retries(t *testing.T) {
	for _, c := range []struct {
		status        int
		code          string
		times         int64 // failures; 0: always
		tries         int64 // attempts; 0: as many as needed
		message, hint string
	}{
		{503, "SlowDown", 2, 3, "", ""},
		{500, "InternalError", 1, 2, "", ""},
		{409, "ConditionalRequestConflict", 1, 2, "", ""},
		{503, "SlowDown", 0, 3, "too busy", "later"},
		{500, "InternalError", 0, 3, "S3 failed (HTTP ", "later"},
		{502, "<html>test-secret", 0, 3, "S3 failed (HTTP ", "later"},
		{403, "AccessDenied", 0, 1, "denied access", "s3:GetObject"},
		{403, "SignatureDoesNotMatch", 0, 1, "secret key", "AWS_SECRET_ACCESS_KEY"},
		{400, "ExpiredToken", 0, 1, "expired", "sign in"},
		{301, "PermanentRedirect", 0, 1, "another AWS region", "AWS_REGION"},
		{404, "", 0, 1, "rejected the request", "AWS_ENDPOINT_URL_S3"},
		{418, "test-secret", 0, 1, "rejected the request", "AWS_ENDPOINT_URL_S3"},
	} {
		t.Run(fmt.Sprint(c.status, c.code, c.times), func(t *testing.T) {
			var asked atomic.Int64
			serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if n := asked.Add(1); c.times == 0 || n <= c.times {
					w.Header().Set("Location", "/elsewhere")
					refuse(w, c.status, c.code)
					return
				}
				fmt.Fprint(w, "text")
			})
			got, err := get(t, open(t, "s3://bucket", s3.Options{Attempts: 3}), "k")
			if c.times > 0 && (err != nil || got != "text") {
				t.Errorf("got %q, %v", got, err)
			}
			if c.times == 0 {
				wantStoreError(t, err, errs.Unavailable, c.message, c.hint)
				keepsSecrets(t, err)
			}
			if asked.Load() != c.tries {
				t.Errorf("%d attempts, want %d", asked.Load(), c.tries)
			}
		})
	}
}

func TestBucketGet_ServerWithoutRanges(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"the whole object": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "0123456789") },
		"another range": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 0-1/10")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "01")
		},
		"beyond the end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 4-5/5")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "45")
		},
		"nonsense": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes x-y/-3")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "45")
		},
	} {
		t.Run(name, func(t *testing.T) {
			serve(t, answer)
			_, err := open(t, "s3://bucket", s3.Options{}).Get(t.Context(), "k", shard.GetOptions{Offset: 4, Length: 2})
			wantStoreError(t, err, errs.Unavailable, "unexpected response from S3", "AWS_ENDPOINT_URL_S3")
		})
	}
}

func TestBucketGet_EmptyObject(t *testing.T) {
	b := open(t, s3test.New(t).Address(), s3.Options{})
	put(t, b, "k", "")
	object, err := b.Get(t.Context(), "k", shard.GetOptions{Length: 3})
	must(t, err)
	must(t, object.Body.Close())
	if object.Size != 0 {
		t.Errorf("%d bytes", object.Size)
	}
}

func TestErrors_NetworkDown(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	s3test.Environment(t, server.URL)
	for _, err := range all(t, open(t, "s3://bucket", s3.Options{Attempts: 2})) {
		wantStoreError(t, err, errs.Unavailable, "cannot reach S3", "network")
		keepsSecrets(t, err)
	}
}

func TestErrors_Canceled(t *testing.T) {
	serve(t, http.NotFound)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := open(t, "s3://bucket", s3.Options{}).Get(ctx, "k", shard.GetOptions{})
	wantError(t, err, context.Canceled)
}
