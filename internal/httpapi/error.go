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
	"lens/retrieval/offline"
)

// The codes of errors, as clients see them.
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

// statusOf has the status of every code.
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

// codes maps the codes that errors of Lens carry to those of this face, with what is said where there is no better sentence.
var codes = map[string]problem{
	"invalid":            {Code: codeInvalid, Message: "This cannot be meant."},
	"not_found":          {Code: codeNotFound, Message: "There is no such thing."},
	"dimension_mismatch": {Code: codeDimension, Message: "The query's vector and the archive's have different dims."},
	"too_large":          {Code: codeTooLarge, Message: "This is too long."},
	"rate_limited":       {Code: codeRateLimited, Message: "The model's server wants to be asked less often.", RetryAfter: 10 * time.Second},
	"locked":             {Code: codeLocked, Message: "The archive is locked. Unlock it with lens unlock."},
	"blocked":            {Code: codeBlocked, Message: "The server keeps offline."},
	"unavailable":        {Code: codeUnavailable, Message: "The archive cannot be reached. Try again in a moment; lens doctor, run beside the server, says why.", RetryAfter: 2 * time.Second},
}

// problem is an error as a client is told it.
type problem struct {
	Code       string
	Message    string        // a sentence, and the next step
	Reason     string        // of a decision not to answer; "": there was none
	RetryAfter time.Duration // 0: not said
	Err        error         // for the log; may be nil
}

func (p *problem) Error() string { return p.Code }

func (p *problem) Unwrap() error { return p.Err }

func invalid(message string) error { return &problem{Code: codeInvalid, Message: message} }

var (
	errLongBody = &problem{Code: codeTooLarge, Message: "A body may have 1 MiB."}
	errInternal = &problem{Code: codeInternal, Message: "internal error"}
)

// errorBody is how a problem is written.
type errorBody struct {
	Error agent.Failure `json:"error"`
}

// problemOf returns what a client is told of err.
func (s *Server) problemOf(err error) *problem {
	var known *problem
	var long *http.MaxBytesError
	var coded interface{ ErrorCode() string }
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &long):
		return errLongBody
	case errors.As(err, &coded):
		return s.told(coded.ErrorCode(), err)
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{Code: codeUnavailable, Message: "This took too long. Try again, or ask for less.", RetryAfter: 2 * time.Second, Err: err}
	case errors.Is(err, context.Canceled):
		return &problem{Code: codeUnavailable, Message: "This was cancelled.", Err: err}
	}
	return &problem{Code: codeInternal, Message: "internal error", Err: err}
}

// told returns the problem of an error with a code of Lens.
func (s *Server) told(code string, err error) *problem {
	p, ok := codes[code]
	if !ok {
		return &problem{Code: codeInternal, Message: "internal error", Err: err}
	}
	p.Err = err
	if p.Code == codeUnavailable && !mayPass(err) {
		p.RetryAfter = 0
	}
	if s.opts.Explain != nil {
		if text := s.opts.Explain(err); text != "" {
			p.Message = text
		}
	}
	var reverted *offline.Revert
	if errors.As(err, &reverted) {
		p.Reason = string(reverted.Reason)
	}
	if p.Reason == string(offline.InvalidConfig) {
		p.RetryAfter = 0 // until somebody has corrected it
	}
	var ofModel *agent.Error
	if p.Code == codeUnavailable && errors.As(err, &ofModel) {
		p.Code = codeProvider
	}
	return &p
}

// mayPass reports whether what makes something unavailable may be over soon by itself: something outside of Lens is the cause. What Lens itself
// lacks, such as a model or vectors, somebody has to bring.
func mayPass(err error) bool {
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		err = cause
	}
	_, own := err.(interface{ ErrorCode() string })
	return !own
}

// report logs an error that is not the client's, and returns what the client is told.
func (s *Server) report(x *exchange, err error) *problem {
	p := s.problemOf(err)
	x.code = p.Code
	if statusOf[p.Code] >= http.StatusInternalServerError && p.Err != nil {
		s.log.Error("failed", slog.String("trace", x.id), slog.String("route", x.route), slog.String("error", p.Err.Error()))
	}
	return p
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r)
	p, h := s.report(x, err), w.Header()
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((p.RetryAfter+time.Second-1)/time.Second)))
	}
	if p.Code == codeUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="lens"`)
	}
	var body any = errorBody{s.failureOf(p, x.id)}
	if speaksOpenAI(r.URL.Path) {
		body = openAIErrorOf(s.failureOf(p, x.id))
	}
	_ = send(w, statusOf[p.Code], body) // a client that went away needs no answer
}

// failureOf is a problem as streams and bodies say it.
func (s *Server) failureOf(p *problem, trace string) agent.Failure {
	return agent.Failure{Code: p.Code, Message: strings.ToValidUTF8(p.Message, "\uFFFD"), Reason: p.Reason, TraceID: trace}
}
