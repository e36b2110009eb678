package httpapi

import (
	"bytes"
	"cmp"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// The parts of an OpenAPI 3.1 document that are used here.
type (
	document struct {
		OpenAPI    string                          `json:"openapi"`
		Info       info                            `json:"info"`
		Servers    []map[string]string             `json:"servers"`
		Security   []map[string][]string           `json:"security"`
		Paths      map[string]map[string]operation `json:"paths"`
		Components components                      `json:"components"`
	}
	info struct {
		Title       string            `json:"title"`
		Version     string            `json:"version"`
		Description string            `json:"description"`
		License     map[string]string `json:"license"`
	}
	components struct {
		Schemas  map[string]*jsonschema.Schema `json:"schemas"`
		Security map[string]map[string]string  `json:"securitySchemes"`
	}
	operation struct {
		ID          string                 `json:"operationId"`
		Summary     string                 `json:"summary"`
		Description string                 `json:"description,omitempty"`
		Security    *[]map[string][]string `json:"security,omitempty"`
		Parameters  []openAPIParameter     `json:"parameters,omitempty"`
		Body        *content               `json:"requestBody,omitempty"`
		Responses   map[string]content     `json:"responses"`
	}
	content struct {
		Description string               `json:"description,omitempty"`
		Required    bool                 `json:"required,omitempty"`
		Content     map[string]mediaType `json:"content,omitempty"`
	}
	mediaType struct {
		Schema map[string]string `json:"schema,omitempty"`
	}
)

// commonProblems are codes that every route may return.
var commonProblems = []string{codeInvalid, codeForbidden, codeWrongHost, codeRateLimited, codeInternal}

// describe returns the OpenAPI document of routes.
func describe(routes []route, version string) ([]byte, error) {
	d := document{
		OpenAPI: "3.1.0",
		Info: info{
			Title: "Lens", Version: cmp.Or(version, "dev"),
			Description: "Search your chats by words, by meaning and by time. Times are RFC 3339 in UTC. " +
				"Errors are {\"error\":{code,message,hint,trace_id}}.",
			License: map[string]string{"name": "MIT License", "identifier": "MIT"},
		},
		Servers:  []map[string]string{{"url": "/", "description": "The server that this document comes from."}},
		Security: []map[string][]string{{"key": {}}, {}},
		Paths:    map[string]map[string]operation{},
		Components: components{
			Schemas: map[string]*jsonschema.Schema{},
			Security: map[string]map[string]string{
				"key": {"type": "http", "scheme": "bearer", "description": "Required if the server has API keys."},
			},
		},
	}
	for _, one := range routes {
		op, err := d.operation(one)
		if err != nil {
			return nil, err
		}
		if d.Paths[one.path] == nil {
			d.Paths[one.path] = map[string]operation{}
		}
		d.Paths[one.path][strings.ToLower(one.method)] = op
	}
	var text bytes.Buffer
	err := WriteJSON(&text, d)
	return text.Bytes(), err
}

func (d *document) operation(one route) (operation, error) {
	op := operation{
		ID: operationID(one), Summary: one.summary, Description: one.detail,
		Parameters: one.parameters, Responses: map[string]content{},
	}
	if one.open {
		op.Security = &[]map[string][]string{}
	}
	if one.body != nil {
		schema, err := d.schemaRef(one.body)
		if err != nil {
			return op, err
		}
		op.Body = &content{Required: true, Content: map[string]mediaType{kindJSON: schema}}
	}
	for _, r := range one.replies {
		schema := mediaType{}
		if r.value != nil {
			var err error
			if schema, err = d.schemaRef(r.value); err != nil {
				return op, err
			}
		}
		kind, _, _ := strings.Cut(r.kind, ";")
		status := strconv.Itoa(r.status)
		if _, another := op.Responses[status]; !another {
			op.Responses[status] = content{Description: r.doc, Content: map[string]mediaType{}}
		}
		op.Responses[status].Content[kind] = schema
	}
	problem, err := d.problemSchemaRef(one.path)
	if err != nil {
		return op, err
	}
	for status, all := range byStatus(one) {
		op.Responses[strconv.Itoa(status)] = content{
			Description: strings.Join(all, " or ") + ".", Content: map[string]mediaType{kindJSON: problem},
		}
	}
	return op, nil
}

// problemSchemaRef is schemaRef for the errors of a path.
func (d *document) problemSchemaRef(path string) (mediaType, error) {
	if speaksOpenAI(path) {
		return d.schemaRef(openAIError{})
	}
	return d.schemaRef(errorBody{})
}

// byStatus returns the codes that a route may return, by status.
func byStatus(one route) map[int][]string {
	all := map[int][]string{}
	lists := [][]string{commonProblems, one.problems}
	if !one.open {
		lists = append(lists, []string{codeUnauthorized})
	}
	if one.body != nil {
		lists = append(lists, []string{codeTooLarge})
	}
	for _, list := range lists {
		for _, code := range list {
			all[statusOf[code]] = append(all[statusOf[code]], code)
		}
	}
	return all
}

// operationID returns the name of a route, such as getRetrievalTurn.
func operationID(one route) string {
	id := strings.ToLower(one.method)
	for word := range strings.FieldsFuncSeq(one.path, func(r rune) bool { return strings.ContainsRune("/{}_.", r) }) {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

// schemaRef adds the schema of a value's type to the document and returns a reference to it.
func (d *document) schemaRef(value any) (mediaType, error) {
	t := reflect.TypeOf(value)
	name := schemaName(t)
	if _, known := d.Components.Schemas[name]; !known {
		schema, err := schemaOf(t)
		if err != nil {
			return mediaType{}, err
		}
		d.Components.Schemas[name] = schema
	}
	return mediaType{map[string]string{"$ref": "#/components/schemas/" + name}}, nil
}
