package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"lens/store/shard"
)

// Get implements shard.Bucket.
func (b *Bucket) Get(ctx context.Context, key string, o shard.GetOptions) (*shard.Object, error) {
	if o.Offset < 0 || o.Length < 0 {
		return nil, shard.ErrRange
	}
	out, err := b.get(ctx, key, o)
	if errors.Is(err, shard.ErrRange) && o.Offset == 0 { // an empty object has no valid range
		o.Length = 0
		out, err = b.get(ctx, key, o)
	}
	if err != nil {
		return nil, err
	}
	size, length, err := contentRange(out, o)
	if err != nil {
		_ = out.Body.Close()
		return nil, err
	}
	info := shard.Info{Key: key, Size: size, ETag: quoted(out.ETag)}
	rest := &body{ctx: ctx, bucket: b, info: info, from: out.Body, offset: o.Offset, left: length, empty: b.attempts()}
	return &shard.Object{Info: info, Body: rest}, nil
}

// get sends the request that o describes.
func (b *Bucket) get(ctx context.Context, key string, o shard.GetOptions) (*s3.GetObjectOutput, error) {
	in := &s3.GetObjectInput{
		Bucket:      &b.name,
		Key:         aws.String(b.prefix + key),
		IfMatch:     nilIfEmpty(o.IfMatch),
		IfNoneMatch: nilIfEmpty(o.IfNoneMatch),
	}
	switch {
	case o.Length > 0:
		in.Range = aws.String(fmt.Sprintf("bytes=%d-%d", o.Offset, o.Offset+o.Length-1))
	case o.Offset > 0:
		in.Range = aws.String(fmt.Sprintf("bytes=%d-", o.Offset))
	}
	out, err := b.client.GetObject(ctx, in)
	return out, b.wrap(ctx, "get", err)
}

// contentRange returns the size of the object and the length of the response body, after checking that the
// response matches the request.
func contentRange(out *s3.GetObjectOutput, o shard.GetOptions) (size, length int64, err error) {
	length = aws.ToInt64(out.ContentLength)
	if o.Offset == 0 && o.Length == 0 {
		if out.ContentLength == nil || length < 0 || out.ContentRange != nil {
			return 0, 0, badResponse("no object length")
		}
		return length, length, nil
	}
	span, total, _ := strings.Cut(strings.TrimPrefix(aws.ToString(out.ContentRange), "bytes "), "/")
	first, last, _ := strings.Cut(span, "-")
	var n [3]int64
	for i, text := range []string{first, last, total} {
		if n[i], err = strconv.ParseInt(text, 10, 64); err != nil || n[i] < 0 {
			return 0, 0, badResponse("missing or invalid range")
		}
	}
	want := n[2] - o.Offset
	if o.Length > 0 {
		want = min(want, o.Length)
	}
	if n[0] != o.Offset || n[1]-n[0]+1 != want || length != want {
		return 0, 0, badResponse("not the requested range")
	}
	return n[2], want, nil
}

// Put implements shard.Bucket.
func (b *Bucket) Put(
	ctx context.Context, key string, body *io.SectionReader, o shard.PutOptions,
) (etag string, err error) {
	in := &s3.PutObjectInput{
		Bucket:        &b.name,
		Key:           aws.String(b.prefix + key),
		ContentLength: aws.Int64(body.Size()),
		IfMatch:       nilIfEmpty(o.IfMatch),
		Body:          io.NewSectionReader(body, 0, body.Size()),
	}
	if o.IfAbsent {
		in.IfNoneMatch = aws.String("*")
	}
	var sent attemptCounter
	out, err := b.client.PutObject(ctx, in, func(options *s3.Options) {
		sent.HTTPClient = options.HTTPClient
		options.HTTPClient = &sent
	})
	if err == nil {
		return quoted(out.ETag), nil
	}
	err = b.wrap(ctx, "put", err)
	if errors.Is(err, shard.ErrNotFound) { // no object, so no ETag matches
		err = errChanged("put")
	}
	if errors.Is(err, shard.ErrChanged) && sent.n > 1 {
		if etag, ours := b.hasBytes(ctx, key, body); ours {
			return etag, nil
		}
	}
	return "", err
}

// hasBytes reports whether an object has the bytes of body. If the response to a Put was lost, the retry's
// condition no longer holds because the first attempt succeeded.
func (b *Bucket) hasBytes(ctx context.Context, key string, body *io.SectionReader) (etag string, ours bool) {
	object, err := b.Get(ctx, key, shard.GetOptions{})
	if err != nil {
		return "", false
	}
	defer object.Body.Close()
	if object.Size != body.Size() {
		return "", false
	}
	there, here := make([]byte, 64<<10), make([]byte, 64<<10)
	for offset := int64(0); offset < object.Size; offset += int64(len(here)) {
		n := min(int64(len(here)), object.Size-offset)
		_, err := io.ReadFull(object.Body, there[:n])
		_, localErr := body.ReadAt(here[:n], offset)
		failed := err != nil || localErr != nil && !errors.Is(localErr, io.EOF)
		if failed || !bytes.Equal(here[:n], there[:n]) {
			return "", false
		}
	}
	return object.ETag, true
}

// List implements shard.Bucket.
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[shard.Info, error] {
	return func(yield func(shard.Info, error) bool) {
		in := &s3.ListObjectsV2Input{Bucket: &b.name, Prefix: nilIfEmpty(b.prefix + prefix)}
		pages := s3.NewListObjectsV2Paginator(b.client, in, func(o *s3.ListObjectsV2PaginatorOptions) {
			o.Limit = b.pageSize
			o.StopOnDuplicateToken = true
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(shard.Info{}, b.wrap(ctx, "list", err))
				return
			}
			for _, found := range page.Contents {
				key, ours := strings.CutPrefix(aws.ToString(found.Key), b.prefix)
				if ours && !yield(shard.Info{Key: key, Size: aws.ToInt64(found.Size), ETag: quoted(found.ETag)}, nil) {
					return
				}
			}
		}
	}
}

// Delete implements shard.Bucket.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	in := &s3.DeleteObjectInput{Bucket: &b.name, Key: aws.String(b.prefix + key)}
	_, err := b.client.DeleteObject(ctx, in)
	if err = b.wrap(ctx, "delete", err); errors.Is(err, shard.ErrNotFound) {
		return nil
	}
	return err
}

// attemptCounter counts the attempts of one call.
type attemptCounter struct {
	s3.HTTPClient
	n int
}

func (c *attemptCounter) Do(r *http.Request) (*http.Response, error) {
	c.n++
	return c.HTTPClient.Do(r)
}

// quoted returns an ETag in quotes, as HTTP headers require; some servers omit them.
func quoted(etag *string) string {
	if text := strings.Trim(aws.ToString(etag), `"`); text != "" {
		return `"` + text + `"`
	}
	return ""
}

func nilIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
