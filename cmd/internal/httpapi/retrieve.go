package httpapi

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/retrieval"
	"lens/retrieval/query"
)

// Retriever answers /retrieve: the archive or a published index.
type Retriever interface {
	Retrieve(ctx context.Context, q query.Query, opts retrieval.RetrieveOptions) (*retrieval.Retrieved, error)
}

// retrieveRequest holds the parameters of a retrieval.
type retrieveRequest struct {
	query.Query
	retrieval.RetrieveOptions
}

var retrieveParameters = append([]parameter[retrieveRequest]{
	requireParameter(text("q", "What to search for, at most 8 KiB.",
		func(q *retrieveRequest) *string { return &q.Text })),
	integer("k", "Number of chunks to return.", 1, retrieval.MaxK, retrieval.DefaultK,
		func(q *retrieveRequest, n int) { q.K = n }),
	fraction("threshold", "Minimum score of a chunk, a cosine similarity. Above 0 it leaves out chunks without a vector, "+
		"and mode cannot be keyword.", func(q *retrieveRequest) *float64 { return &q.Threshold }),
	choice("mode", "dense ranks by meaning (score), hybrid by meaning and words and keyword by words alone (both by "+
		"rank_score). Without an embedding model, hybrid also ranks by words, and notice says why.", retrieval.RetrieveModes,
		func(q *retrieveRequest) *query.Mode { return &q.Mode }),
}, retrieveFilters()...)

// retrieveFilters returns the filters other than those of metadata.
func retrieveFilters() []parameter[retrieveRequest] {
	var all []parameter[retrieveRequest]
	for _, d := range query.RetrieveParameters() {
		all = append(all, filter(filterPrefix+d.Key, d, false, func(q *retrieveRequest) *query.Filter { return &q.Filter }))
	}
	return all
}

// isTime reports whether a filter is one of retrieveFilters, not a metadata key.
func isTime(name string) bool {
	return slices.ContainsFunc(query.RetrieveParameters(), func(d query.Field) bool { return filterPrefix+d.Key == name })
}

// filterPrefix begins the names of filter parameters. A metadata key follows, or since or until.
const filterPrefix = "filter."

// metaParameters documents two metadata keys as examples; any other key is accepted.
var metaParameters = []openAPIParameter{
	{
		filterPrefix + "entity", "query", false,
		"Chunks with this entity in their metadata. Any other metadata key works the same way.",
		&jsonschema.Schema{Type: "string"},
	},
	{filterPrefix + "id", "query", false, "The chunk with this ID.", &jsonschema.Schema{Type: "string"}},
}

// fraction is a parameter with a number from 0 to 1.
func fraction[T any](name, doc string, at func(*T) *float64) parameter[T] {
	schema := &jsonschema.Schema{
		Type: "number", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(1.0), Default: []byte("0"),
	}
	return newParameter(name, doc, schema, func(into *T, text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0 && x <= 1) || strings.ContainsAny(text, "xX_+") {
			return errors.New("must be a number from 0 to 1")
		}
		*at(into) = x
		return nil
	})
}

// retrieveRoutes find chunks.
type retrieveRoutes struct {
	retriever Retriever // nil: none
}

func (s retrieveRoutes) routes() []route {
	return []route{{
		method: http.MethodGet, path: "/retrieve", handle: s.retrieve,
		summary:    "Find chunks of documents, filtered by metadata",
		parameters: append(openAPIParameters(retrieveParameters), metaParameters...),
		replies:    okReply("The chunks, best first.", retrieval.Retrieved{}),
		problems:   append([]string{codeDimension, codeTooLarge}, archiveProblems...),
	}}
}

func (s retrieveRoutes) retrieve(w http.ResponseWriter, r *http.Request) error {
	input, err := readRetrieve(r)
	if err != nil {
		return err
	}
	if s.retriever == nil {
		return &problem{Code: codeUnavailable, Message: "This server has no collection to retrieve from."}
	}
	found, err := s.retriever.Retrieve(r.Context(), input.Query, input.RetrieveOptions)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, found)
}

// readRetrieve reads a query with filters on any metadata key.
func readRetrieve(r *http.Request) (input retrieveRequest, err error) {
	if strings.Count(r.URL.RawQuery, "&") >= maxParameters {
		return input, invalid("Too many parameters.")
	}
	meta := map[string]string{}
	var others []string
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, err := unescapePair(pair)
		if err != nil {
			return input, err
		}
		key, prefixed := strings.CutPrefix(name, filterPrefix)
		_, twice := meta[key]
		switch {
		case isFilter(name):
			return input, invalid(name + " is not a filter of chunks: use " + filterPrefix + "since, " + filterPrefix +
				"until, or " + filterPrefix + "KEY with any key of their metadata.")
		case !prefixed || isTime(name):
			others = append(others, pair)
		case key == "":
			return input, invalid("A filter needs a key, such as " + filterPrefix + "entity.")
		case twice:
			return input, invalid("A filter is repeated: a chunk must match all filters, so each key takes one value.")
		default:
			meta[key] = value
		}
	}
	rest := *r.URL
	rest.RawQuery = strings.Join(others, "&")
	input, err = readQuery(&http.Request{URL: &rest}, retrieveParameters, filterPrefix+"KEY with any metadata key")
	if since, until := input.Window(); err == nil && !until.IsZero() && !since.Before(until) {
		return input, invalid("filter.until is before filter.since.") // Validate would explain a half-open window
	}
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		input.Filter.Meta.Add(query.Pair{Key: key, Value: meta[key]}, false)
	}
	return input, err
}
