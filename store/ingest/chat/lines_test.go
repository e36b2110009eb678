package chat

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"lens/internal/errs"
	"lens/store"
)

func TestLines_ReadsWhatIsThere(t *testing.T) {
	const long = 100_000
	for name, c := range map[string]struct{ text, want string }{
		"objects":            {"{\"a\":1}\n{\"b\":2}\n", `{"a":1} {"b":2}`},
		"white space":        {"\xEF\xBB\xBF{\"a\":1}\r\n\n  {\"b\":2}", `{"a":1} {"b":2}`},
		"a damaged line":     {"{\"a\":1}\n{\"b\":\n{\"c\":3}\n", `{"a":1} 1:damaged line {"c":3}`},
		"no objects":         {"42\nnull\n[1]\n{}\n", `0:line without an object 1:line without an object 2:line without an object {}`},
		"an unfinished line": {"{\"a\":1}\n{\"b", `{"a":1} 1:unfinished line`},
		"nothing":            {"", ""},
		"a long line":        {"{\"a\":\"" + strings.Repeat("x", long) + "\"}\n{\"b\":2}\n", `0:line over 64 MiB {"b":2}`},
		"two values":         {"{}{}\n{}", "0:damaged line {}"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for raw, err := range lines("test: read", strings.NewReader(c.text), long) {
				var skip *Skip
				if errors.As(err, &skip) {
					got = append(got, fmt.Sprintf("%d:%s", skip.Index, skip.Reason))
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(raw))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q", strings.Join(got, " "))
			}
		})
	}
}

func TestLines_StopsWithTheConsumer(t *testing.T) {
	n := 0
	for range Lines("test: read", strings.NewReader("42\n{}\n{}\n")) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("got %d", n)
	}
}

func TestLines_ReadError(t *testing.T) {
	broken := errors.New("the disk is broken")
	var last error
	for _, err := range Lines("test: read", io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(broken))) {
		last = err
	}
	var failed *errs.Error
	if !errors.As(last, &failed) || failed.Hint == "" || failed.Op != "test: read" || !errors.Is(last, broken) {
		t.Errorf("got %v", last)
	}
}

// TestCount_RecordsAreCopies: the buffer of a line is used again for the next one.
func TestCount_RecordsAreCopies(t *testing.T) {
	var count Count
	raw := []byte(`{"a":1}`)
	speech, aside := count.Speech(store.User, "x", raw), count.Aside(store.Tool, "tool_result", "x", raw)
	copy(raw, "#######")
	if string(speech.Raw) != `{"a":1}` || string(aside.Raw) != `{"a":1}` {
		t.Errorf("got %s, %s", speech.Raw, aside.Raw)
	}
}

func TestContentIDs_GrowWithTheConversation(t *testing.T) {
	var before, after ContentIDs
	q := &Message{Role: store.User, Text: "more"}
	a := &Message{Role: store.Assistant, Text: "more"}
	first, second := before.Of(q), before.Of(q)
	if after.Of(a); first == second || after.Of(q) != first || after.Of(q) != second {
		t.Error("ids depend on the position, or repeat")
	}
}
