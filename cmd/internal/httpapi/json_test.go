package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"testing"
	"time"

	"lens/retrieval/query"

	"github.com/google/uuid"
)

// asEncoded returns a document as encoding/json prints it.
func asEncoded(t testing.TB, document any) string {
	t.Helper()
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestWriteJSON_EqualsEncodingJSON(t *testing.T) {
	engine, err := someChats()
	if err != nil {
		t.Fatal(err)
	}
	found, err := engine.Peek(t.Context(), query.Query{Text: "bread"})
	if err != nil {
		t.Fatal(err)
	}
	activity, err := engine.Activity(t.Context(), query.Query{Bin: "month"})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []any{
		found, activity, nil, "", []int(nil),
		[]int{},
		map[string]int(nil),
		map[string]any{"b": 1, "a": []any{}, "c": map[string]any{}},
		"<a href='x'>&\u2028\u2029\x00\x7f\U0001F986\"\\/",
		[]float64{1e21, 1e20, 1e-7, 1e-6, 0.1, math.Copysign(0, -1), math.MaxFloat64, 5e-324},
		[]float32{0.1, 1e21},
		uuid.UUID{15: 1},
		time.Date(2024, 2, 29, 1, 2, 3, 40, time.FixedZone("", 3600)), []byte("bytes"), json.RawMessage(`{"n":1.50, "x":[ ],"e":1E5,"u":"\u0041<"}`),
		struct {
			A *int       `json:"a"`
			B *int       `json:"b,omitempty"`
			C time.Time  `json:"c,omitzero"`
			D any        `json:"d"`
			E [2]byte    `json:"e"`
			F []struct{} `json:"f"`
		}{F: []struct{}{{}}},
	} {
		var text bytes.Buffer
		if err := WriteJSON(&text, document); err != nil {
			t.Errorf("%T: %v", document, err)
		} else if want := asEncoded(t, document); text.String() != want {
			t.Errorf("%T is printed as\n%s\nand not as\n%s", document, &text, want)
		}
	}
	var mended bytes.Buffer
	if err := WriteJSON(&mended, "a\xffb"); err != nil || mended.String() != "\"a\uFFFDb\"\n" {
		t.Errorf("what is no UTF-8 is printed as %q, %v", &mended, err)
	}
	if err := WriteJSON(io.Discard, math.NaN()); err == nil {
		t.Error("NaN is printed")
	}
}

func BenchmarkWriteJSON(b *testing.B) {
	engine, err := someChats()
	if err != nil {
		b.Fatal(err)
	}
	found, err := engine.Peek(b.Context(), query.Query{Text: "bread"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := WriteJSON(io.Discard, found); err != nil {
			b.Fatal(err)
		}
	}
}
