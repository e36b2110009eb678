package storetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

var textChecks = []check{
	{"of every script are unchanged", scriptsComeBack},
	{"of ten megabytes are unchanged", longTextsComeBack},
	{"of titles, models and source ids are unchanged", namesComeBack},
	{"may be empty", textsMayBeEmpty},
	{"can be read alone", textsAlone},
}

// scripts are texts that stores are known to damage.
var scripts = map[string]string{
	"emoji with joiners":    "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽",
	"right to left":         "مرحبا بالعالم — שלום עולם",
	"CJK":                   "漢字とかな交じり文。中文字符，한국어 텍스트",
	"beyond the first":      "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𓀀𓁐 🜁",
	"combining":             "e\u0301 ≠ é, Z\u0351\u036b\u0343\u036a\u0302a\u030al\u0334\u0328go",
	"controls":              "tab\tline\nreturn\r\x01\x1b[31m\x7f\u0085\u2028",
	"quotes":                `it's "quoted" \ back\slash $1 ?1 :name @p %s %% -- ; DROP TABLE turns;`,
	"noncharacters":         "\ufffe\uffff\ufdd0\U0010ffff",
	"replacement and BOM":   "\ufffd\ufeff",
	"thai without spaces":   "ภาษาไทยไม่มีช่องว่าง",
	"devanagari":            "नमस्ते दुनिया",
	"spaces at either end":  "  \u00a0 padded \u3000 ",
	"only spaces":           "   ",
	"bidi controls":         "\u202eesrever\u202c \u2066isolate\u2069",
	"long word without end": strings.Repeat("ß", 3000),
}

func scriptsComeBack(t *testing.T, a *archive) {
	for name, text := range scripts {
		c := a.put(t, chat(name, exchange{User: text, Replies: []string{text + "!"}, Summary: text, At: at(1)}))[0]
		if got := a.turns(t, turnIDs(c)...); !reflect.DeepEqual(got, c.Turns) {
			t.Errorf("%s: got %q, want %q", name, got[0].UserText, text)
		}
		messages, err := a.Messages(t.Context(), c.ID)
		must(t, err)
		if !reflect.DeepEqual(messages, c.Messages) {
			t.Errorf("%s: got %+v, want %+v", name, messages, c.Messages)
		}
	}
}

func longTextsComeBack(t *testing.T, a *archive) {
	var b strings.Builder
	for i := 0; b.Len() < 10<<20; i++ {
		fmt.Fprintf(&b, "line %d — Zeile, ligne, 行\n", i)
	}
	c := chat("long", exchange{User: b.String(), Replies: []string{"short"}, At: at(1)})
	c.Messages[0].Raw = []byte(b.String())
	c.Title = b.String()[:1<<20]
	a.update(t, func(tx store.Tx) error {
		if err := tx.PutConversations(t.Context(), []store.Conversation{c}); err != nil {
			return err
		}
		if err := tx.PutMessages(t.Context(), c.ID, c.Messages); err != nil {
			return err
		}
		c.Turns[0].Ord = 1
		return tx.PutTurns(t.Context(), c.Turns)
	})
	got := a.turns(t, turnIDs(c)...)[0]
	want(t, "text is the same", got.UserText == b.String(), true)
	want(t, "title is the same", got.Title == c.Title, true)
	messages, err := a.Messages(t.Context(), c.ID)
	must(t, err)
	want(t, "raw is the same", string(messages[0].Raw) == b.String(), true)
}

func namesComeBack(t *testing.T, a *archive) {
	for name, text := range scripts {
		c := chat(name, exchange{User: "q", Replies: []string{"a"}, At: at(1)})
		c.Title, c.SourceID, c.Model, c.Turns[0].Model, c.Turns[0].Title = text, text, text, text, text
		c.Messages[0].ContentType = text
		a.put(t, c)
		got, err := a.Conversations(t.Context(), []uuid.UUID{c.ID})
		must(t, err)
		if !reflect.DeepEqual(got[0], bare(c)) {
			t.Errorf("%s: got %+v, want %+v", name, got[0], bare(c))
		}
		if got := a.turns(t, turnIDs(c)...)[0]; got.Model != text || got.Title != text {
			t.Errorf("%s: got %q and %q, want %q", name, got.Model, got.Title, text)
		}
	}
}

func textsMayBeEmpty(t *testing.T, a *archive) {
	c := chat("", exchange{User: "", At: at(1)})
	c.SourceID, c.Title, c.Model, c.Messages[0].SourceID, c.Messages[0].ContentType = "", "", "", "", ""
	c.Turns[0].Title = ""
	a.put(t, c)
	if got := a.turns(t, turnIDs(c)...); !reflect.DeepEqual(got, c.Turns) {
		t.Errorf("got %+v, want %+v", got, c.Turns)
	}
	messages, err := a.Messages(t.Context(), c.ID)
	must(t, err)
	if !reflect.DeepEqual(messages, c.Messages) {
		t.Errorf("got %+v, want %+v", messages, c.Messages)
	}
}
