package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lens/agent"
	"lens/internal/errs"
	"lens/retrieval/offline"
)

// Error codes of the API.
const (
	codeInvalid      = "INVALID_ARGUMENT"
	codeUnauthorized = "UNAUTHENTICATED"
	codeForbidden    = "FORBIDDEN"
	codeBlocked      = "BLOCKED"
	codeNotFound     = "NOT_FOUND"
	codeMethod       = "METHOD_NOT_ALLOWED"
	codeDimension    = "DIMENSION_MISMATCH"
	codeTooLarge     = "TOO_LARGE"
	codeWrongHost    = "WRONG_HOST"
	codeLocked       = "LOCKED"
	codeRateLimited  = "RATE_LIMITED"
	codeInternal     = "INTERNAL"
	codeProvider     = "PROVIDER_UNAVAILABLE"
	codeUnavailable  = "UNAVAILABLE"
)

// statusOf maps each code to its HTTP status.
var statusOf = map[string]int{
	codeInvalid:      http.StatusBadRequest,
	codeUnauthorized: http.StatusUnauthorized,
	codeForbidden:    http.StatusForbidden,
	codeBlocked:      http.StatusForbidden,
	codeNotFound:     http.StatusNotFound,
	codeMethod:       http.StatusMethodNotAllowed,
	codeDimension:    http.StatusConflict,
	codeTooLarge:     http.StatusRequestEntityTooLarge,
	codeWrongHost:    http.StatusMisdirectedRequest,
	codeLocked:       http.StatusLocked,
	codeRateLimited:  http.StatusTooManyRequests,
	codeInternal:     http.StatusInternalServerError,
	codeProvider:     http.StatusBadGateway,
	codeUnavailable:  http.StatusServiceUnavailable,
}

// codes maps the codes that Lens's errors carry to those of the API, with a default message.
var codes = map[errs.Code]problem{
	errs.Invalid:  {Code: codeInvalid, Message: "Invalid request."},
	errs.NotFound: {Code: codeNotFound, Message: "Not found."},
	errs.DimensionMismatch: {
		Code: codeDimension, Message: "The dimensions of the query vector and of the archive differ.",
	},
	errs.TooLarge: {Code: codeTooLarge, Message: "The request is too large."},
	errs.RateLimited: {
		Code: codeRateLimited, Message: "The model server is rate limiting requests.", RetryAfter: 10 * time.Second,
	},
	errs.Locked:  {Code: codeLocked, Message: "The archive is locked.", Hint: "On the server: run lens unlock."},
	errs.Blocked: {Code: codeBlocked, Message: "The server is offline."},
	errs.Unavailable: {
		Code: codeUnavailable, Message: "The archive is unreachable.",
		Hint:       "Try again. On the server: run lens doctor.",
		RetryAfter: 2 * time.Second,
	},
}

// CodeOf returns the API's code for an error that has one of Lens's.
func CodeOf(code errs.Code, err error) string {
	p, known := codes[code]
	switch {
	case !known:
		return codeInternal
	case p.Code == codeUnavailable && errs.From(err, "agent"):
		return codeProvider
	}
	return p.Code
}

// ErrorDocument returns the document of an error, as the API and the command line print it.
func ErrorDocument(f agent.Failure) any { return errorBody{f} }

// problem is an error as the client receives it.
type problem struct {
	Code       string
	Message    string        // a sentence
	Hint       string        // the next step; may be empty
	Reason     string        // why the offline retriever refused; "": it did not
	RetryAfter time.Duration // 0: no Retry-After
	Err        error         // for the log; may be nil
}

func (p *problem) Error() string { return p.Code }

func (p *problem) Unwrap() error { return p.Err }

func invalid(message string) error { return &problem{Code: codeInvalid, Message: message} }

// invalidParameter returns the error of a parameter's value. The message of err follows the name in a sentence.
func invalidParameter(name string, err error) error {
	var known *errs.Error
	if !errors.As(err, &known) {
		return invalid(name + " " + err.Error() + ".")
	}
	p := &problem{Code: codeInvalid, Message: name + " " + known.Message + "."}
	if known.Hint != "" {
		p.Hint = strings.ToUpper(known.Hint[:1]) + known.Hint[1:] + "."
	}
	return p
}

var (
	errBodyTooLarge = &problem{Code: codeTooLarge, Message: "The body is over 1 MiB."}
	errInternal     = &problem{Code: codeInternal, Message: "internal error"}
)

// errorBody is the JSON form of a problem.
type errorBody struct {
	Error agent.Failure `json:"error"`
}

// failures turns errors into problems, and logs those of the server.
type failures struct {
	explain func(error) (message, hint string) // Options.Explain
	log     *slog.Logger
}

// problemOf returns the problem for err.
func (f failures) problemOf(err error) *problem {
	var known *problem
	var long *http.MaxBytesError
	var coded *errs.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &long):
		return errBodyTooLarge
	case errors.As(err, &coded):
		return f.codedProblem(coded.Code, err)
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{
			Code: codeUnavailable, Message: "The request timed out.", Hint: "Try again, or ask for less.",
			RetryAfter: 2 * time.Second, Err: err,
		}
	case errors.Is(err, context.Canceled):
		return &problem{Code: codeUnavailable, Message: "The request was canceled.", Err: err}
	}
	return &problem{Code: codeInternal, Message: "internal error", Err: err}
}

// codedProblem returns the problem for an error that carries one of Lens's codes.
func (f failures) codedProblem(code errs.Code, err error) *problem {
	p, ok := codes[code]
	if !ok {
		return &problem{Code: codeInternal, Message: "internal error", Err: err}
	}
	p.Err = err
	if p.Code == codeUnavailable && !isTransient(err) {
		p.RetryAfter = 0
	}
	if f.explain != nil {
		if message, hint := f.explain(err); message != "" {
			p.Message, p.Hint = message, hint
		}
	}
	var reverted *offline.Revert
	if errors.As(err, &reverted) {
		p.Reason = string(reverted.Reason)
	}
	if p.Reason == string(offline.InvalidConfig) {
		p.RetryAfter = 0 // it lasts until the configuration is corrected
	}
	if p.Code == codeUnavailable && errs.From(err, "agent") {
		p.Code = codeProvider
	}
	return &p
}

// isTransient reports whether an unavailability may end by itself, because its cause lies outside Lens. What Lens
// itself lacks, such as a model or vectors, the user has to provide.
func isTransient(err error) bool {
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		err = cause
	}
	_, own := err.(*errs.Error)
	return !own
}

// report logs a server error and returns the problem for the client.
func (f failures) report(x *requestRecord, err error) *problem {
	p := f.problemOf(err)
	x.code = p.Code
	if statusOf[p.Code] >= http.StatusInternalServerError && p.Err != nil {
		f.log.Error("failed", slog.String("trace", x.id), slog.String("route", x.route), slog.String("error", p.Err.Error()))
	}
	return p
}

// fail responds with an error.
func (f failures) fail(w http.ResponseWriter, r *http.Request, err error) {
	x := recordOf(r)
	p, h := f.report(x, err), w.Header()
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((p.RetryAfter+time.Second-1)/time.Second)))
	}
	if p.Code == codeUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="lens"`)
	}
	var body any = errorBody{p.failure(x.id)}
	if speaksOpenAI(r.URL.Path) {
		openAI := openAIErrorOf(p.failure(x.id))
		var partial *partialError
		if errors.As(err, &partial) {
			openAI.Lens = &partial.partial
		}
		body = openAI
	}
	_ = send(w, statusOf[p.Code], body) // a disconnected client needs no response
}

// failure converts a problem for streams and bodies.
func (p *problem) failure(trace string) agent.Failure {
	return agent.Failure{
		Code: p.Code, Message: strings.ToValidUTF8(p.Message, "\uFFFD"), Hint: strings.ToValidUTF8(p.Hint, "\uFFFD"),
		Reason: p.Reason, TraceID: trace,
	}
}
