package bench

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer/codec"

	"lens/internal/bpe"
)

var write = flag.Bool("write", false, "write the vocabularies of internal/bpe")

// vocabularies are those of internal/bpe, each with the library and the expression that it must agree with. The group
// around an expression keeps regexp2 from using the library's compiled form, which splits "\n \n" in two and loses the
// end of "\x00\x7f".
var vocabularies = []struct {
	name    string
	ours    func() *bpe.Vocabulary
	library *codec.Codec
	pieces  *regexp2.Regexp
}{
	{"cl100k", bpe.Cl100k, codec.NewCl100kBase(), regexp2.MustCompile(
		`(?:(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|`+
			`\s+(?!\S)|\s+)`, regexp2.None)},
	{"o200k", bpe.O200k, codec.NewO200kBase(), regexp2.MustCompile(
		`(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|`+
			`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|`+
			`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)`, regexp2.None)},
}

func TestVocabularies(t *testing.T) {
	for _, v := range vocabularies {
		var list []byte
		for id := uint(0); ; id++ {
			token, err := v.library.Decode([]uint{id})
			if err != nil {
				break
			}
			list = append(append(list, byte(len(token))), token...)
		}
		file := "../bpe/" + v.name + ".tokens"
		if *write {
			must(t, os.WriteFile(file, list, 0o644))
		}
		if stored, err := os.ReadFile(file); err != nil || !bytes.Equal(stored, list) {
			t.Errorf("%s is not the library's vocabulary (%v): run go generate ./internal/bpe", file, err)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, text := range []string{
		"", "Feed the starter twice a day.", "I've  SEEN it; they'LL don'ſ\r\n\n  x", "日本語ABC 中文def ǅabc Ǆ", "1234567 ٣٤٥٦ ½x",
		"e\u0301té \u0301a 'sa 's 'RE", "\t\t\tif x {\n\t}\n\n\n   \n  y", "https://a.b/c//\r\n/d", "👩‍👩‍👧 हिन्दी ไทย العربية", "ʰʰA ªb",
		strings.Repeat("a", 300), strings.Repeat(" ", 300) + "x", strings.Repeat("\n ", 99), strings.Repeat("ab'", 90), "\x00\u0085\u00a0\u2028 z",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "") // the library replaces what is not UTF-8
		for _, v := range vocabularies {
			got := slices.Collect(v.ours().Tokens(text))
			match, err := v.pieces.FindStringMatch(text)
			for ; match != nil; match, err = v.pieces.FindNextMatch(match) {
				piece := match.String()
				_, want, err := v.library.Encode(piece)
				must(t, err)
				n := tokensOf(piece, got)
				usable := strings.Join(want, "") == piece && strings.TrimSpace(piece) != "" // where its form splits right
				if strings.Join(got[:n], "") != piece || usable && !slices.Equal(got[:n], want) {
					t.Fatalf("%s: %q: got %q for %q, want %q", v.name, text, got[:n], piece, want)
				}
				got = got[n:]
			}
			must(t, err)
			if len(got) > 0 {
				t.Errorf("%s: %q: got %q after the end", v.name, text, got)
			}
		}
	})
}

// tokensOf returns how many of the tokens together are as long as piece, or longer.
func tokensOf(piece string, tokens []string) int {
	n, length := 0, 0
	for n < len(tokens) && length < len(piece) {
		length += len(tokens[n])
		n++
	}
	return n
}

// prose is English, code and Chinese, as turns have them.
var prose = strings.Repeat("Feed the starter twice a day, and keep it at 24 °C. It doesn't rise?\n\n```go\nfunc f(x int) error {\n"+
	"\treturn fmt.Errorf(\"no %d\", x)\n}\n```\n\n每天喂两次酵种，保持温暖。\n", 200)

func BenchmarkCount(b *testing.B) {
	for _, v := range vocabularies {
		b.Run(v.name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(prose)))
			for b.Loop() {
				v.ours().Count(prose)
			}
		})
		b.Run(v.name+"/library", func(b *testing.B) {
			b.SetBytes(int64(len(prose)))
			for b.Loop() {
				_, err := v.library.Count(prose)
				must(b, err)
			}
		})
	}
}
