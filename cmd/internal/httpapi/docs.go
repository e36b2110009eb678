package httpapi

import (
	"bytes"
	_ "embed" // for the page
	"encoding/json"
	"html"
	"net/http"
	"text/template"
)

//go:embed docs.tmpl
var docsText string

// docsPage renders the OpenAPI document as a page. All values go through html.EscapeString.
func docsPage(text []byte) ([]byte, error) {
	page, err := template.New("docs").Funcs(template.FuncMap{"h": html.EscapeString, "json": indented}).Parse(docsText)
	if err != nil {
		return nil, err
	}
	var d any
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, d)
	return out.Bytes(), err
}

func indented(value any) (string, error) {
	var text bytes.Buffer
	err := WriteJSON(&text, value)
	return text.String(), err
}

// docsRoutes describe the API.
type docsRoutes struct {
	document []byte // OpenAPI
}

func (s *docsRoutes) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/openapi.json", summary: "This document",
			replies: []reply{{http.StatusOK, kindJSON, "An OpenAPI 3.1 document.", nil}},
			handle:  s.openAPI,
		},
		{
			method: http.MethodGet, path: "/docs", summary: "This document as a web page",
			replies: []reply{{http.StatusOK, kindHTML, "A self-contained HTML page.", nil}},
			handle:  s.page,
		},
	}
}

func (s *docsRoutes) openAPI(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	return sendText(w, http.StatusOK, kindJSON, s.document)
}

func (s *docsRoutes) page(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	page, err := docsPage(s.document)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	return sendText(w, http.StatusOK, kindHTML, page)
}
