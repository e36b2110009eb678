package openai

import (
	"context"
	"io"
	"net/http"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/internal/provider"
	"lens/internal/retry"
)

// attempt requests the vectors of items once, in their order; nil for an item whose vector is unusable.
func (e *Embedder) attempt(ctx context.Context, items []item) ([][]float32, *fault) {
	reply := &replyInfo{}
	once, cancel := context.WithTimeout(context.WithValue(ctx, replyKey{}, reply), e.opts.AttemptTimeout)
	defer cancel()
	texts := make([]string, len(items))
	for i, it := range items {
		texts[i] = it.text
	}
	format := api.EmbeddingEncodingFormatBase64
	if e.floats.Load() {
		format = api.EmbeddingEncodingFormatFloat
	}
	answer, err := e.client.CreateEmbeddings(once, api.EmbeddingRequestStrings{
		Input: texts, Model: api.EmbeddingModel(e.opts.Model), Dimensions: e.opts.Dimensions, EncodingFormat: format,
	})
	if err != nil {
		return nil, e.classify(ctx, err, reply)
	}
	return e.check(answer.Data, len(items))
}

// replyInfo is what the client library does not report of an answer.
type replyInfo struct {
	status int // 0: no answer
	after  time.Duration
}

type replyKey struct{}

// doer sends the library's requests, records the replyInfo of each, and bounds how much of an answer is read.
type doer struct{ client *http.Client }

// maxAnswer bounds what is read of one answer, in bytes: a full request of 4,096 dimensions as JSON numbers fits.
const maxAnswer = 256 << 20

func (d *doer) Do(r *http.Request) (*http.Response, error) {
	res, err := provider.Do(d.client, r)
	if err != nil {
		return nil, err
	}
	if reply, ok := r.Context().Value(replyKey{}).(*replyInfo); ok {
		reply.status, reply.after = res.StatusCode, retry.After(res.Header, time.Now())
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxAnswer), res.Body}
	return res, nil
}
