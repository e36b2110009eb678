package secrets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fill returns n characters of an alphabet. Keys are joined at run time: scanners of sources would take a whole one for
// real.
func fill(n int) string { return strings.Repeat("Qz7Rk2Wm", n/8+1)[:n] }

func letters(n int) string { return strings.Repeat("QzRkWmLp", n/8+1)[:n] }

func TestFind(t *testing.T) {
	for want, text := range map[string]string{
		"AWS access key":     "id: AKIA" + strings.Repeat("QZ7R", 4) + ".",
		"AWS secret key":     `aws_secret_access_key = "` + fill(40) + `"`,
		"Anthropic API key":  "sk-ant-" + "api03-" + fill(60),
		"OpenAI API key":     "OPENAI_API_KEY=sk-" + "proj-" + fill(60),
		"GitHub token":       "https://ghp_" + fill(36) + "@github.com",
		"GitLab token":       "glpat-" + fill(20),
		"Google API key":     "AIza" + fill(35),
		"Hugging Face token": "hf_" + letters(34),
		"npm token":          "npm_" + fill(36),
		"PyPI token":         "pypi-" + "AgEI" + fill(60),
		"Slack token":        "xoxb-" + "2834719283-" + fill(24),
		"Stripe key":         "sk_live_" + fill(24),
		"private key":        "-----BEGIN RSA PRIVATE KEY-----\n" + fill(64),
		"password in a URL":  "postgres://ada:" + "gnomon77" + "@db.internal/x",
	} {
		if got := Find(text); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %v", want, got)
		}
		if got := Find("before "+text+" after", text); !slices.Equal(got, []string{want}) {
			t.Errorf("%s, within: got %v", want, got)
		}
		if !slices.Contains(Kinds(), want) {
			t.Errorf("%s is no kind", want)
		}
	}
	if len(Kinds()) != 14 {
		t.Errorf("%d kinds, some of which no text has", len(Kinds()))
	}
	escaped := `{"text":"-----BEGIN PRIVATE KEY-----\n` + fill(64) + `"}`
	if got := Find(escaped); !slices.Equal(got, []string{"private key"}) {
		t.Errorf("in JSON: got %v", got)
	}
}

func TestFind_Nothing(t *testing.T) {
	for _, text := range []string{
		"", "AKIAIOSFODNN7EXAMPLE", "AKIA" + fill(4), "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"risk-" + fill(48), "ghp_short", "a PRIVATE KEY of mine", "-----BEGIN PUBLIC KEY-----\n" + fill(64),
		"-----BEGIN PRIVATE KEY-----\n...", "postgres://user:password@localhost/x", "https://lens.example/a:b@c",
		"postgres://$USER:$PASSWORD@host", "hf_transfer", "npm_config_cache", "aws_secret_access_key = <yours>",
	} {
		if got := Find(text); got != nil {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

// FuzzFind takes any text, in a time that grows with its length alone.
func FuzzFind(f *testing.F) {
	f.Add("AKIA sk-ant- postgres://a:b@ -----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, text string) {
		if kinds := Find(text, text); !slices.Equal(kinds, Find(text)) {
			t.Errorf("got %v and %v", kinds, Find(text))
		}
	})
}

func ExampleFind() {
	fmt.Println(Find("export GITLAB=glpat-" + fill(20)))
	// Output: [GitLab token]
}
