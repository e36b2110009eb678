package embedtest

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"
)

// Fault is one way to fail.
type Fault struct {
	serve func(s *Server, w http.ResponseWriter, r *http.Request, ask request)
}

// Answer lets a request succeed between two that fail.
func Answer() Fault {
	return Fault{func(s *Server, w http.ResponseWriter, _ *http.Request, ask request) { s.answer(w, ask, s.vectors(ask)) }}
}

// Status answers with an HTTP status and an error of the given code.
func Status(status int, code string) Fault {
	return Fault{func(_ *Server, w http.ResponseWriter, _ *http.Request, _ request) {
		refuse(w, status, code, "scripted")
	}}
}

// RateLimit answers 429 and asks to wait: in Retry-After when after is whole seconds, else in Retry-After-Ms.
func RateLimit(after time.Duration) Fault {
	return Fault{func(_ *Server, w http.ResponseWriter, _ *http.Request, _ request) {
		if after%time.Second == 0 {
			w.Header().Set("Retry-After", fmt.Sprint(int(after/time.Second)))
		} else {
			w.Header().Set("Retry-After-Ms", fmt.Sprint(after.Milliseconds()))
		}
		refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "scripted")
	}}
}

// Hang accepts a request and never answers, as a half-open connection does.
func Hang() Fault {
	return Fault{func(s *Server, _ http.ResponseWriter, r *http.Request, _ request) {
		select {
		case <-r.Context().Done():
		case <-s.hangs:
		}
	}}
}

// Stall sends the beginning of an answer and never the rest.
func Stall() Fault {
	return Fault{func(s *Server, w http.ResponseWriter, r *http.Request, _ request) {
		_, _ = w.Write([]byte(`{"object":"list","data":[`))
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-s.hangs:
		}
	}}
}

// Truncate cuts an answer off in the middle.
func Truncate() Fault {
	return Fault{func(_ *Server, w http.ResponseWriter, _ *http.Request, _ request) {
		_, _ = w.Write([]byte(`{"object":"list","data":[{"object":"embedding","index":0,"embed`))
	}}
}

// Reset closes the connection without an answer.
func Reset() Fault {
	return Fault{func(_ *Server, _ http.ResponseWriter, _ *http.Request, _ request) {
		panic(http.ErrAbortHandler)
	}}
}

// AlterVectors answers with vectors that change has altered: another dimension, a missing one, a NaN (which only
// base64 can carry).
func AlterVectors(change func(vectors [][]float32) [][]float32) Fault {
	return Fault{func(s *Server, w http.ResponseWriter, _ *http.Request, ask request) {
		s.answer(w, ask, change(s.vectors(ask)))
	}}
}

// WrongDim answers with vectors of one dim less than they should have.
func WrongDim() Fault {
	return AlterVectors(func(vectors [][]float32) [][]float32 {
		for i, v := range vectors {
			vectors[i] = v[1:]
		}
		return vectors
	})
}

// Short answers with one vector less than texts.
func Short() Fault {
	return AlterVectors(func(vectors [][]float32) [][]float32 { return vectors[1:] })
}

// NotANumber puts a NaN into the vector of the i-th text.
func NotANumber(i int) Fault {
	return AlterVectors(func(vectors [][]float32) [][]float32 {
		vectors[i] = slices.Clone(vectors[i])
		vectors[i][0] = float32(math.NaN())
		return vectors
	})
}

// SameIndex answers with all vectors under index 0.
func SameIndex() Fault {
	return Fault{func(s *Server, w http.ResponseWriter, _ *http.Request, ask request) {
		var data []any
		for _, v := range s.vectors(ask) {
			data = append(data, map[string]any{"object": "embedding", "index": 0, "embedding": s.encoded(ask, v)})
		}
		send(w, http.StatusOK, map[string]any{"object": "list", "model": ask.Model, "data": data})
	}}
}
