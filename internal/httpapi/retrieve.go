package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/retrieval"
)

// Retriever is what /retrieve asks: the engine, or an index that was published.
type Retriever interface {
	Retrieve(ctx context.Context, query string, opts retrieval.RetrieveOptions) (*retrieval.Retrieved, error)
}

// retrieveRequest is what a retrieval is asked with.
type retrieveRequest struct {
	query string
	retrieval.RetrieveOptions
}

var retrieveModes = []retrieval.Mode{retrieval.Hybrid, retrieval.Dense}

var retrieveParameters = []parameter[retrieveRequest]{
	needed(text("q", "What is sought, at most 8 KiB.", func(q *retrieveRequest) *string { return &q.query })),
	integer("k", "How many chunks are listed.", 1, retrieval.MaxK, retrieval.DefaultK, func(q *retrieveRequest, n int) { q.K = n }),
	share("threshold", "The least score of a chunk.", func(q *retrieveRequest) *float64 { return &q.Threshold }),
	moment(filterPrefix+"since", "Chunks from this time on.", func(q *retrieveRequest) *time.Time { return &q.Since }),
	moment(filterPrefix+"until", "Chunks before this time.", func(q *retrieveRequest) *time.Time { return &q.Until }),
	choice("mode", "Way of ranking: by words and vectors, or by vectors alone.", retrieveModes, func(q *retrieveRequest) *retrieval.Mode { return &q.Mode }),
}

// filterPrefix begins the names of parameters by which chunks are filtered: what follows is a key of their metadata, or since or until.
const filterPrefix = "filter."

// metaParameters are two of the keys that there can be; any other is taken too.
var metaParameters = []described{
	{filterPrefix + "entity", "query", false, "Chunks whose metadata have this entity. Any other key of the metadata works alike.", &jsonschema.Schema{Type: "string"}},
	{filterPrefix + "id", "query", false, "The chunk with this id.", &jsonschema.Schema{Type: "string"}},
}

// needed is a parameter that must be given.
func needed[T any](p parameter[T]) parameter[T] {
	p.Required = true
	return p
}

// share is a parameter of a number from 0 to 1.
func share[T any](name, doc string, at func(*T) *float64) parameter[T] {
	schema := &jsonschema.Schema{Type: "number", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(1.0), Default: []byte("0")}
	return parameter[T]{described{name, "query", false, doc, schema}, func(into *T, text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0 && x <= 1) || strings.ContainsAny(text, "xX_+") {
			return errors.New("is no number from 0 to 1")
		}
		*at(into) = x
		return nil
	}}
}

func (s *Server) retrieveRoute() route {
	return route{
		method: http.MethodGet, path: "/retrieve", handle: s.retrieve,
		summary:    "The chunks that answer a query best, of those with some metadata",
		parameters: append(descriptions(retrieveParameters), metaParameters...),
		replies:    answers("What was found, best first.", retrieval.Retrieved{}),
		problems:   append([]string{codeDimension, codeTooLarge}, ofArchive...),
	}
}

func (s *Server) retrieve(w http.ResponseWriter, r *http.Request) error {
	ask, err := readRetrieve(r)
	if err != nil {
		return err
	}
	if s.opts.Retriever == nil {
		return &problem{Code: codeUnavailable, Message: "This server retrieves nothing."}
	}
	from, err := s.opts.Retriever(r.Context())
	if err != nil {
		return err
	}
	found, err := from.Retrieve(r.Context(), ask.query, ask.RetrieveOptions)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, found)
}

// readRetrieve reads a query with filters of any name.
func readRetrieve(r *http.Request) (ask retrieveRequest, err error) {
	if strings.Count(r.URL.RawQuery, "&") >= maxParameters {
		return ask, invalid("There are too many parameters.")
	}
	meta := map[string]string{}
	var others []string
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, err := unescaped(pair)
		if err != nil {
			return ask, err
		}
		key, isFilter := strings.CutPrefix(name, filterPrefix)
		_, twice := meta[key]
		switch {
		case !isFilter || key == "since" || key == "until":
			others = append(others, pair)
		case key == "":
			return ask, invalid("A filter needs the name of a key: " + filterPrefix + "entity, for instance.")
		case twice:
			return ask, invalid("A filter is given twice.")
		default:
			meta[key] = value
		}
	}
	rest := *r.URL
	rest.RawQuery = strings.Join(others, "&")
	ask, err = readQuery(&http.Request{URL: &rest}, retrieveParameters)
	if len(meta) > 0 {
		ask.Meta = meta
	}
	return ask, err
}
