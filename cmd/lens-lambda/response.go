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

// response collects the response to a request. It implements http.ResponseWriter.
type response struct {
	header http.Header
	status int // 0: 200
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *response) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *response) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *response) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// errorResponse returns an error in the form of cmd/internal/httpapi, for requests that do not reach it.
func errorResponse(status int, code, message, trace string) *response {
	header := http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}}
	a := &response{header: header, status: status}
	document := map[string]any{"error": map[string]string{"code": code, "message": message, "trace_id": trace}}
	text, _ := json.Marshal(document) // strings always marshal
	a.body.Write(text)
	return a
}

// encode returns the response in the gateway's payload format, version 2.0 or 1.0. A body that is not UTF-8 becomes
// base64.
func (a *response) encode(version2 bool) ([]byte, error) {
	a.WriteHeader(http.StatusOK)
	a.header.Del("Content-Length") // the gateway sets it
	body, encoded := a.body.String(), false
	if !utf8.ValidString(body) {
		body, encoded = base64.StdEncoding.EncodeToString(a.body.Bytes()), true
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if !version2 {
		err := e.Encode(events.APIGatewayProxyResponse{
			StatusCode:        a.status,
			MultiValueHeaders: a.header,
			Body:              body,
			IsBase64Encoded:   encoded,
		})
		return text.Bytes(), err
	}
	header := make(map[string]string, len(a.header))
	for name, values := range a.header {
		header[name] = strings.Join(values, ", ")
	}
	err := e.Encode(events.APIGatewayV2HTTPResponse{
		StatusCode:      a.status,
		Headers:         header,
		Body:            body,
		IsBase64Encoded: encoded,
	})
	return text.Bytes(), err
}
