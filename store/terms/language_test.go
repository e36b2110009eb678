package terms

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lens/store"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// forms returns the pairs of testdata/forms.txt by language.
func forms(t *testing.T) map[Language][][2]string {
	t.Helper()
	file, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[Language][][2]string)
	language := Unknown
	for line := range strings.Lines(string(file)) {
		if code, begins := strings.CutPrefix(line, "= "); begins {
			language = languageOf(strings.TrimSpace(code))
		} else if !strings.HasPrefix(line, "#") {
			for pair := range strings.SplitSeq(line, ",") {
				asked, written, _ := strings.Cut(strings.TrimSpace(pair), " ")
				all[language] = append(all[language], [2]string{asked, written})
			}
		}
	}
	return all
}

// finds reports whether a query finds a word of a text, by the terms of all texts and by stems.
func finds(asked, written string, l Language) (byTerm, byStem bool) {
	terms := Query(written)
	byTerm = slices.ContainsFunc(Query(asked), func(term string) bool { return slices.Contains(terms, term) })
	var stems []string
	l.expand(written, func(fact []byte) { stems = append(stems, string(fact)) })
	for _, facts := range Stems(asked, l) {
		byStem = byStem || slices.ContainsFunc(facts, func(fact string) bool { return slices.Contains(stems, fact) })
	}
	return byTerm, byStem
}

func TestStems_FindsForms(t *testing.T) {
	var report strings.Builder
	report.WriteString("language, pairs, found by the terms of all texts, found by stems too\n")
	pairs := forms(t)
	var total, foundByTerm, found int
	for _, l := range Stemmed() {
		before, after := 0, 0
		var lost []string
		for _, pair := range pairs[l] {
			byTerm, byStem := finds(pair[0], pair[1], l)
			if byTerm {
				before++
			}
			if byTerm || byStem {
				after++
			} else {
				lost = append(lost, pair[0]+"/"+pair[1])
			}
		}
		if len(pairs[l]) < 20 {
			t.Errorf("%s has only %d pairs", l, len(pairs[l]))
		}
		total, foundByTerm, found = total+len(pairs[l]), foundByTerm+before, found+after
		fmt.Fprintf(&report, "%-10s %d %2d %2d", l, len(pairs[l]), before, after)
		if len(lost) > 0 {
			fmt.Fprintf(&report, "  not: %s", strings.Join(lost, " "))
		}
		report.WriteString("\n")
	}
	fmt.Fprintf(&report, "%-10s %d %2d %2d\n", "all", total, foundByTerm, found)
	const golden = "testdata/forms.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(report.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || report.String() != string(want) {
		t.Errorf("%s has changed (go test -update rewrites it): %v\n%s", golden, err, &report)
	}
}

func TestTell(t *testing.T) {
	for _, c := range []struct{ user, reply, want string }{
		{"Where can I buy a bicycle?", "There are several shops in the old town.", "en en"},
		{"Wie heißt der Film, in dem ein Roboter die Welt aufräumt?", "Das ist der Film Wall-E.", "de de"},
		{"Welche Häuser?", "Die Häuser, die am See stehen und von 1900 sind.", "de de"},
		{"Translate: good morning, how are you?", "Bonjour, comment allez-vous ? C'est une phrase de tous les jours.", "en fr"},
		{"¿Cómo se dice esto en inglés?", "Se dice así, pero no siempre es lo que más se oye.", "es es"},
		{"Come si dice questo in inglese?", "Si dice così, ma non sempre è vero che sia giusto.", "it it"},
		{"Como se diz isso em inglês?", "Não é sempre assim, mas você pode dizer isso.", "pt pt"},
		{"Hoe zeg je dit in het Engels?", "Dat zeg je zo, maar niet altijd.", "nl nl"},
		{"Hur säger man det här på engelska?", "Man säger så, men inte alltid.", "sv sv"},
		{"Hvordan siger man det på engelsk?", "Det siger man sådan, men ikke altid, når noget er nyt.", "da da"},
		{"Hvordan sier man det på engelsk?", "Det sier man slik, men ikke alltid når noe er nytt.", "no no"},
		{"Miten tämä sanotaan englanniksi?", "Se sanotaan näin, mutta ei aina, koska kieli on elävä.", "fi fi"},
		{"Hogyan mondják ezt angolul?", "Ezt így mondják, de nem mindig, mert a nyelv változik.", "hu hu"},
		{"Bunu İngilizce nasıl söylerim?", "Böyle söylenir ama her zaman değil, çünkü dil değişir.", "tr tr"},
		{"Cum se spune asta în engleză?", "Se spune așa, dar nu întotdeauna, pentru că limba este vie.", "ro ro"},
		{"Как это сказать по-английски?", "Так говорят не всегда.", "ru ru"},
		{"كيف أقول هذا بالإنجليزية؟", "نقول ذلك دائما في المدرسة.", "ar ar"},
		{"இதை எப்படி சொல்வது?", "இப்படி சொல்லலாம்.", "ta ta"},
		{"Conas a deirtear é seo i mBéarla?", "Deirtear mar seo é ach ní i gcónaí, agus tá sé sin fíor.", "ga ga"},
		{"日本語の検索", "検索します", "? ?"},
		{"Fix this", "for (var i = 0; i < n; i++) { var x = a[i]; if (x) { return x } }", "en en"},
		{"let n = 0; while (n < e) { let x = a[i]; let y = b[i] }", "", "? ?"},
		{"SELECT id, de FROM la WHERE x = 1", "", "en en"},
		{"", "", "? ?"},
		{"Juan de la Cruz", "", "? ?"},
	} {
		var a Analyzer
		a.Document(c.user, c.reply)
		var got []string
		for _, l := range tell([2]string{c.user, c.reply}, &a.heard) {
			got = append(got, cmp.Or(l.Code(), "?"))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.user, c.reply, got, c.want)
		}
	}
}

func TestTurn_HasStemsInItsLanguages(t *testing.T) {
	var a Analyzer
	for range 2 { // the second time, the tokens are known
		turn := &store.Turn{
			UserText: "How do you say houses in French?", AssistantText: "On dit « les maisons » : il y a des maisons et l’église est à Paris.",
		}
		counts := a.Turn(turn)
		if n := counts.Length(); n != Length(a.Document(turn.UserText, turn.AssistantText)) {
			t.Errorf("stems count toward the length: %d", n)
		}
		has := make(map[string]uint32)
		for term, n := range counts.All() {
			if _, twice := has[term]; twice {
				t.Errorf("%q twice", term)
			}
			has[term] = n
		}
		for fact, want := range map[string]uint32{
			":languages": languagesVersion, ":language=en": 1, ":language=fr": 1, ":fr=maison": 2, ":fr=eglis": 1,
			":fr=le": 0, ":fr=hous": 0, ":fr=french": 0, ":language=de": 0,
		} {
			if has[fact] != want {
				t.Errorf("%s: got %d, want %d", fact, has[fact], want)
			}
		}
	}
}

func TestTurn_EnglishHasNoStemsBeside(t *testing.T) {
	var a Analyzer
	list := a.Turn(&store.Turn{UserText: "What is a language?", AssistantText: "It is what we all speak."})
	for term := range list.All() {
		if store.IsFact(term) && !slices.Contains([]string{":facts", languagesKnown, ":language=en"}, term) {
			t.Errorf("got %q", term)
		}
	}
}

func TestStems_WithoutAccents(t *testing.T) {
	for _, c := range []struct {
		language       string
		asked, written string
	}{
		{"de", "hausern", "Häuser"},
		{"de", "HÄUSER", "Haus"},
		{"fr", "developpe", "développé"},
		{"fr", "repetees", "répétées"},
		{"fr", "répétées", "repetees"},
		{"tr", "çocuğu", "COCUGU"},
		{"tr", "sokagin", "sokağın"},
		{"tr", "IŞIKLAR", "ışık"},
		{"ro", "creații", "creaţii"},
		{"es", "canción", "cancion"},
		{"de", "Stra\u00adßen", "Straße"},
	} {
		if _, byStem := finds(c.asked, c.written, languageOf(c.language)); !byStem {
			t.Errorf("%s does not find %s", c.asked, c.written)
		}
	}
}

func TestStems_ByTermOfTheQuery(t *testing.T) {
	const query = "Wo stehen die Häuser-Bücher, 42 C++ a 日本?"
	got := Stems(query, languageOf("de"))
	if want := []string{":de=haus"}; !slices.Equal(got["hauser"], want) {
		t.Errorf("got %q, want %q", got["hauser"], want)
	}
	for _, word := range []string{"die", "42", "c++", "a", "日本"} {
		if len(got[word]) > 0 {
			t.Errorf("%s has German stems: %q", word, got[word])
		}
	}
}

// What is asked for is in a turn of the same text, whatever a stemmer makes of it.
func FuzzTurn_HasStemsOfQuery(f *testing.F) {
	for _, pair := range []string{"Wo sind die Häuser? Où est l’hôtel, qu’il a vu?", "çocuğu İstanbul'da IŞIK", "книги ﷺ \u0640كتاب", "\xff Ⱥ\u0345 ǅ"} {
		f.Add(pair)
	}
	used := new(Analyzer)
	f.Fuzz(func(t *testing.T, text string) {
		before, after, _ := strings.Cut(text, "?")
		twice := make(map[string]bool)
		for term, n := range used.Turn(&store.Turn{UserText: before, AssistantText: after}).All() {
			if twice[term] || n == 0 {
				t.Fatalf("twice, or not at all: %q", term)
			}
			twice[term] = true
		}
		for _, l := range Stemmed() {
			has := make(map[string]bool)
			for _, c := range used.stemmer(l).Document(text) {
				if has[c.Term] || c.Count == 0 || len(c.Term) > maxTerm || !store.IsFact(c.Term) || !utf8.ValidString(c.Term) {
					t.Fatalf("%s: not a stem, or twice: %q", l, c.Term)
				}
				has[c.Term] = true
			}
			asked := make(map[string]bool)
			for term, facts := range Stems(text, l) {
				for _, fact := range facts {
					if asked[fact] = true; !has[fact] {
						t.Fatalf("%s: %q asks for %q, which its own text does not hold", l, term, fact)
					}
				}
			}
			for _, fact := range used.StemsIn(l, text) {
				if !asked[fact] {
					t.Fatalf("%s: %q holds %q, which it does not ask for", l, text, fact)
				}
			}
		}
	})
}

func TestIsFunctionWord(t *testing.T) {
	for word, want := range map[string]bool{
		"the": true, "het": true, "и": true, "Für": true, "みま": true,
		"boek": false, "book": false, "fur": false, "食べ": false, "": false,
	} {
		if got := IsFunctionWord(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
