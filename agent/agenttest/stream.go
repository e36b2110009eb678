package agenttest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// manyTimes is more often than a client should read the same.
const manyTimes = 2000

// answer streams a reply.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, reply Reply, ask Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	sent := 0
	for event := range reply.events(ask.Model) {
		if reply.Delay > 0 && !s.wait(r, reply.Delay) {
			return
		}
		for _, chunk := range chunked(event, reply.Chunks) {
			if limit := max(reply.Fault.Cut, 0); reply.Fault.Cut != 0 && sent+len(chunk) >= limit {
				s.write(w, chunk[:limit-sent])
				if reply.Fault.Abort {
					panic(http.ErrAbortHandler)
				}
				return
			}
			if limit := reply.Fault.Stall; limit > 0 && sent+len(chunk) >= limit {
				s.write(w, chunk[:limit-sent])
				s.wait(r, time.Hour)
				return
			}
			s.write(w, chunk)
			sent += len(chunk)
		}
	}
}

// wait sleeps for d. It returns false if the client leaves or the test ends first.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		s.left.Do(func() { close(s.gone) })
	case <-s.closing:
	}
	return false
}

// write sends bytes immediately.
func (s *Server) write(w http.ResponseWriter, chunk []byte) {
	_, _ = w.Write(chunk) // wait notices a client that left
	_ = http.NewResponseController(w).Flush()
}

// chunked splits an event into pieces of n bytes.
func chunked(event []byte, n int) [][]byte {
	if n <= 0 {
		return [][]byte{event}
	}
	var all [][]byte
	for len(event) > n {
		all = append(all, event[:n])
		event = event[n:]
	}
	return append(all, event)
}

// SSE returns the reply as a stream of server-sent events.
func (r Reply) SSE() []byte { return bytes.Join(slices.Collect(r.events("recorded")), nil) }

// events yields the server-sent events of a reply: an empty delta, the text, the calls, the finish reason, the usage
// and [DONE], with comments and empty deltas in between, as real servers send them. It makes them one by one: a reply
// may be endless, and its client gone.
func (r Reply) events(model string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		wanted := true
		add := func(event string) { wanted = wanted && yield([]byte(event)) }
		data := func(text string) {
			if wanted {
				add("data: " + text + "\n\n")
			}
		}
		delta := func(d map[string]any) {
			if wanted {
				data(chunk(model, d, nil))
			}
		}
		delta(map[string]any{"role": "assistant", "content": ""})
		add(": keep-alive\n\n")
		for _, piece := range pieces(r.Thought, cmp.Or(r.Deltas, 12)) {
			delta(map[string]any{"content": nil, "reasoning_content": piece, "reasoning": piece})
		}
		for _, piece := range pieces(r.Text+strings.Repeat(r.Loop, manyTimes), cmp.Or(r.Deltas, 12)) {
			delta(map[string]any{"content": piece})
		}
		if r.Error != "" {
			data(errorEvent(r.Error))
			return
		}
		delta(map[string]any{})
		for i, c := range r.Calls {
			for _, d := range r.Style.deltas(i, c) {
				delta(map[string]any{"tool_calls": []any{d}})
			}
		}
		if r.Finish != "none" {
			data(chunk(model, map[string]any{}, cmp.Or(r.Finish, r.defaultFinish())))
		}
		if !r.NoUsage {
			const usage = `{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050}`
			data(`{"object":"chat.completion.chunk","choices":[],"usage":` + usage + `}`)
		}
		if !r.NoDone {
			data("[DONE]")
		}
	}
}

func errorEvent(message string) string {
	text, err := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "server_error"}})
	if err != nil {
		panic("agenttest: cannot encode an error: " + err.Error())
	}
	return string(text)
}

func (r Reply) defaultFinish() string {
	if len(r.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func chunk(model string, delta map[string]any, finish any) string {
	text, err := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
	})
	if err != nil {
		panic("agenttest: cannot encode a chunk: " + err.Error())
	}
	return string(text)
}

// pieces splits text into pieces of n characters.
func pieces(text string, n int) []string {
	var all []string
	var b strings.Builder
	count := 0
	for _, r := range text {
		b.WriteRune(r)
		if count++; count%n == 0 {
			all = append(all, b.String())
			b.Reset()
		}
	}
	if b.Len() > 0 {
		all = append(all, b.String())
	}
	return all
}

// deltas returns the pieces of the i-th call.
func (s Style) deltas(i int, c Call) []map[string]any {
	id := "call_" + string(rune('a'+i%26))
	if i >= 26 {
		id += strconv.Itoa(i / 26)
	}
	arguments := c.argumentText()
	piece := func(index any, id, name, arguments string) map[string]any {
		d := map[string]any{"function": map[string]any{"arguments": arguments}}
		if index != nil {
			d["index"] = index
		}
		if id != "" {
			d["id"], d["type"] = id, "function"
		}
		if name != "" {
			d["function"].(map[string]any)["name"] = name
		}
		return d
	}
	var all []map[string]any
	switch s {
	case Unindexed:
		return append(all, piece(nil, id, c.Name, arguments))
	case ZeroIndex:
		return append(all, piece(0, id, c.Name, arguments))
	case ZeroIndexWithoutID:
		return append(all, piece(0, "", c.Name, arguments))
	case IDLast:
		for _, p := range pieces(arguments, 5) {
			all = append(all, piece(i, "", "", p))
		}
		return append(all, piece(i, "", c.Name, ""), piece(i, id, "", ""))
	case RepeatedID:
		for _, p := range pieces(arguments, 5) {
			all = append(all, piece(i, id, c.Name, p))
		}
		return all
	case WithoutID:
		id = ""
	}
	all = append(all, piece(i, id, c.Name, ""))
	for _, p := range pieces(arguments, 5) {
		all = append(all, piece(i, "", "", p))
	}
	return all
}
