package ingest

import (
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
)

// sampleVersions are what the samples in testdata hold. The one of the format without a number was written before there
// was another.
func sampleVersions() (all []*store.Conversation) {
	for i, text := range []string{"A heron.", "A stork."} {
		at := time.Date(2026, 3, 1, 9, i, 0, 0, time.UTC)
		v := chat.Build(&chat.Draft{
			Source: store.ChatGPT, ID: "birds", Title: "Birds", Current: "2", Model: "gpt-4o", Created: at, Updated: at.Add(time.Hour),
			Nodes: []chat.Node{
				{ID: "1", Message: &chat.Message{Role: store.User, Text: "Which?", Time: at, Visible: true, Raw: []byte(`{"id":"1"}`), ContentType: "text"}},
				{ID: "2", Parent: "1", Message: &chat.Message{Role: store.Assistant, Text: text, Summary: "A bird.", Visible: true, Model: "gpt-4", Raw: []byte(`{}`)}},
			},
		}).Conversation
		all = append(all, &v)
	}
	return all
}

func TestVersions_StoredSamples(t *testing.T) {
	want := sampleVersions()
	for _, file := range []string{"testdata/versions_0.bin", "testdata/versions_1.bin"} {
		body, err := os.ReadFile(file)
		testenv.Must(t, err)
		got, err := decodeVersions(body)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", file, got, err, want)
		}
	}
}

// TestVersions_KeepEveryField fails when a field is added to a message or conversation and not to what is kept of them.
func TestVersions_KeepEveryField(t *testing.T) {
	var m store.Message
	fill(t, reflect.ValueOf(&m).Elem())
	var c store.Conversation
	fill(t, reflect.ValueOf(&c).Elem())
	c.Superseded, c.Document, c.Turns, c.Messages = nil, nil, nil, []store.Message{m}
	kept := keepVersion(&c)
	if got := kept.conversation(); !reflect.DeepEqual(*got, c) {
		t.Errorf("got %+v, want %+v", got, c)
	}
}

// fill sets all fields of a struct to something that is not zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Field(i)
		switch name := v.Type().Field(i).Name; {
		case f.Type() == reflect.TypeFor[time.Time]():
			f.Set(reflect.ValueOf(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)))
		case slices.Contains([]string{"Superseded", "Document", "Messages", "Turns"}, name):
		case f.Kind() == reflect.String:
			f.SetString(name)
		case f.Kind() == reflect.Int:
			f.SetInt(7)
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.Kind() == reflect.Slice:
			f.SetBytes([]byte(name))
		case f.Kind() == reflect.Array:
			f.Index(0).SetUint(uint64(1 + i))
		default:
			t.Fatalf("%s is a %s", name, f.Type())
		}
	}
}

func TestVersions_Unreadable(t *testing.T) {
	body, err := encodeVersions(sampleVersions())
	testenv.Must(t, err)
	newer := slices.Clone(body)
	newer[1]++
	for name, body := range map[string][]byte{"of a newer Lens": newer, "cut": body[:len(body)-9], "empty": {}, "a header alone": {0, versionsFormat}} {
		if got, err := decodeVersions(body); err == nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
