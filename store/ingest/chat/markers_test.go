package chat

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// withMarkers lets a test write the marker characters as ⟨ | ⟩.
var withMarkers = strings.NewReplacer("⟨", markerOpen, "|", markerNext, "⟩", markerClose)

// spellMarkers spells the marker characters out, as some exports do.
var spellMarkers = strings.NewReplacer("⟨", `\ue200`, "|", `\ue202`, "⟩", `\ue201`)

func TestCleanMarkers_CurrentMarkers(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a citation goes, with the space before it": {"Go 1.26 ⟨cite|turn0search0⟩ is out.", "Go 1.26 is out."},
		"several references in one":                 {"So it is⟨cite|turn0search0|turn1view2|turn2news13⟩.", "So it is."},
		"a citation at the end":                     {"So it is. ⟨cite|turn0search0⟩", "So it is."},
		"a citation before a line's end":            {"One ⟨cite|turn0image0⟩\nTwo", "One\nTwo"},
		"a file citation with lines":                {"See⟨filecite|turn0file0|L5-L8⟩ there", "See there"},
		"a navigation list":                         {"News:⟨navlist|Recent news on herons|turn0news1,turn0news2⟩", "News:"},
		"an entity keeps its name":                  {`In ⟨entity|["city","Lisbon","capital of Portugal"]⟩ it rains.`, "In Lisbon it rains."},
		"a product keeps its name":                  {`The ⟨product_entity|["turn0product1","Kettle 3"]⟩ boils.`, "The Kettle 3 boils."},
		"an invalid entity goes":                    {`In ⟨entity|["city",⟩ it rains.`, "In it rains."},
		"an image group goes, line breaks and all":  {"Look:⟨image_group|{\"query\":[\"grey\nheron\"]}⟩ Nice.", "Look: Nice."},
		"a widget goes":                             {`Weather:⟨genui|{"weather":{"city":"Porto"}}⟩`, "Weather:"},
		"a formula stays":                           {`So ⟨genui|{"math_block_widget":{"content":"x^2"}}⟩ holds.`, "So $$x^2$$ holds."},
		"a link keeps its title":                    {"Read ⟨link_title|The Herons|turn0search3⟩ first.", "Read The Herons first."},
		"an unknown kind goes":                      {"A⟨sparkle|x|y⟩ B", "A B"},
		"no payload":                                {"A⟨cite⟩ B", "A B"},
		"a citation that is never closed":           {"Out ⟨cite|turn0search0|turn0search1 and about", "Out and about"},
		"never closed at the end":                   {"Out ⟨cite|turn0search0", "Out"},
		"never closed, another follows":             {"One ⟨cite|turn0search0 two ⟨cite|turn0search1⟩ three", "One two three"},
		"an entity that is never closed":            {`In ⟨entity|["city","Porto"] it rains`, "In Porto it rains"},
		"a link that is never closed":               {"Read ⟨link_title|The Herons|turn0search3 first", "Read The Herons first"},
		"a closing without an opening":              {"One⟩ two", "One two"},
		"an opening without a kind":                 {"One ⟨two", "One two"},
		"an opening at the very end":                {"One⟨", "One"},
		"a reference without its beginning":         {"One |turn0search0 two", "One two"},
		"a marker divided between two paragraphs":   {"One ⟨cite|turn0search0\n\nTwo⟩ three", "One\n\nTwo three"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CleanMarkers(withMarkers.Replace(c.in)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if kind := kindOf(strings.TrimPrefix(c.in[max(0, strings.Index(c.in, "⟨")):], "⟨")); !markerKinds[kind] || strings.Contains(name, "no payload") {
				return // spelled out, only what is clearly a marker is one
			}
			if got := CleanMarkers(spellMarkers.Replace(c.in)); strings.Contains(c.in, "⟩") && got != c.want {
				t.Errorf("spelled out: got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCleanMarkers_OlderMarkers(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a stripped marker":                          {"Go is out.citeturn0search0 Good.", "Go is out. Good."},
		"several stripped markers":                   {"Go is out citeturn0search0turn1view3.", "Go is out."},
		"a stripped file citation":                   {"See fileciteturn0file0L5-L8 there", "See there"},
		"the old style":                              {"So it is【5†source】.", "So it is."},
		"the old style with lines":                   {"So 【12†L123-L131】 it is", "So it is"},
		"the old style with a message":               {"So【4:0†source】【4:1†a.pdf】 it is", "So it is"},
		"the oldest style":                           {"So it is:contentReference[oaicite:3]{index=3}.", "So it is."},
		"the span of a citation stays":               {"\ue203Herons wade\ue204\ue206 here", "Herons wade here"},
		"other private characters stay":              {"\ue300 \ue280", "\ue300 \ue280"},
		"an incomplete private character at the end": {"x\xee\x88", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CleanMarkers(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCleanMarkers_OrdinaryWords(t *testing.T) {
	for _, s := range []string{
		"She cited the study and linked to it; citeturn is no word, cite turn0search0 neither.",
		"The entity [\"city\",\"Porto\"] stays.",
		"【注意】 is Japanese, and † a dagger.",
		`The character \ue200 opens, \ue202 divides and \ue201 closes.`,
		"navlist, filecite, genui and image_group are names.",
		"  two  blanks , kept  ",
		"",
	} {
		if got := CleanMarkers(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func FuzzCleanMarkers(f *testing.F) {
	for _, s := range []string{
		"a ⟨cite|turn0search0⟩ b", "⟨entity|[\"a\",\"b\"]", "⟨⟨||⟩⟩", "⟨link_title|a|", "⟨genui|{\"math\":{\"content\":\"x\"}}⟩", "【5†x】 citeturn0search0 |turn0search0",
	} {
		f.Add(withMarkers.Replace(s))
		f.Add(spellMarkers.Replace(s))
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := CleanMarkers(s)
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("%q became invalid: %q", s, got)
		}
		if len(got) > len(s)+len("$$$$") {
			t.Errorf("%q became longer: %q", s, got)
		}
		if !strings.Contains(s, "cite") && !strings.ContainsAny(s, "†\ue200\ue201\ue202\ue203\ue204\ue205\ue206") && !strings.Contains(s, `\ue20`) && utf8.ValidString(s) && got != s {
			t.Errorf("%q became %q without a marker in it", s, got)
		}
	})
}
