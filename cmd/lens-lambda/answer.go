package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// answer gathers what is answered to a request.
type answer struct {
	header http.Header
	status int // 0: 200
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// refusal is an error as internal/httpapi says it, of what does not get there.
func refusal(status int, code, message, trace string) *answer {
	a := &answer{header: http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}}, status: status}
	text, _ := json.Marshal(map[string]any{"error": map[string]string{"code": code, "message": message, "trace_id": trace}}) // of strings
	a.body.Write(text)
	return a
}

// encode returns the answer as the gateway wants it, to an event of the second kind or the first. What is no text goes as base64.
func (a *answer) encode(second bool) ([]byte, error) {
	a.WriteHeader(http.StatusOK)
	a.header.Del("Content-Length") // is the gateway's concern
	body, encoded := a.body.String(), false
	if !utf8.ValidString(body) {
		body, encoded = base64.StdEncoding.EncodeToString(a.body.Bytes()), true
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if !second {
		err := e.Encode(events.APIGatewayProxyResponse{StatusCode: a.status, MultiValueHeaders: a.header, Body: body, IsBase64Encoded: encoded})
		return text.Bytes(), err
	}
	header := make(map[string]string, len(a.header))
	for name, values := range a.header {
		header[name] = strings.Join(values, ", ")
	}
	err := e.Encode(events.APIGatewayV2HTTPResponse{StatusCode: a.status, Headers: header, Body: body, IsBase64Encoded: encoded})
	return text.Bytes(), err
}
