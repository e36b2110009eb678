// Package secrets recognizes keys and tokens in texts by the forms that those who issue them document: AWS, GitHub and
// others give theirs a prefix so that they are found where they do not belong. What has no such form is not found.
package secrets

import (
	"regexp"
	"strings"

	"lens/internal/lazyregexp"
)

// pattern is a kind of secret.
type pattern struct {
	name  string
	form  func() *regexp.Regexp
	marks []string // one of them is in every secret: looking for them is much faster than matching
}

func newPattern(name, form string, marks ...string) pattern {
	return pattern{name, lazyregexp.New(form), marks}
}

var patterns = []pattern{
	newPattern("AWS access key", `\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`, "AKIA", "ASIA"),
	newPattern("AWS secret key",
		`(?i)(?:aws_secret_access_key|SecretAccessKey)\W{1,6}[A-Za-z0-9/+]{40}(?:[^A-Za-z0-9/+]|$)`,
		"aws_secret", "AWS_SECRET", "SecretAccessKey"),
	newPattern("Anthropic API key", `\bsk-ant-[A-Za-z0-9_-]{32,}`, "sk-ant-"),
	newPattern("OpenAI API key",
		`\bsk-(?:proj-|svcacct-|admin-)[A-Za-z0-9_-]{40,}|\bsk-[A-Za-z0-9]{48}\b`, "sk-"),
	newPattern("GitHub token", `\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{36,}`,
		"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
	newPattern("GitLab token", `\bglpat-[A-Za-z0-9_-]{20,}`, "glpat-"),
	newPattern("Google API key", `\bAIza[A-Za-z0-9_-]{35}\b`, "AIza"),
	newPattern("Hugging Face token", `\bhf_[A-Za-z]{34,}\b`, "hf_"),
	newPattern("npm token", `\bnpm_[A-Za-z0-9]{36}\b`, "npm_"),
	newPattern("PyPI token", `\bpypi-AgEI[A-Za-z0-9_-]{50,}`, "pypi-AgEI"),
	newPattern("Slack token", `\bxox[bpas]-[0-9]{8,}-[A-Za-z0-9-]{16,}`, "xoxb-", "xoxp-", "xoxa-", "xoxs-"),
	newPattern("Stripe key", `\b[sr]k_live_[A-Za-z0-9]{16,}`, "sk_live_", "rk_live_"),
	newPattern("private key",
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r)+[A-Za-z0-9+/=:]{16,}`, "PRIVATE KEY"),
	newPattern("password in a URL",
		`\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?)://[^\s:/@"']+:[^\s:/@"'<>{}$*]{6,}@`, "://"),
}

// Kinds returns the names of all kinds, in the order of Find.
func Kinds() (names []string) {
	for i := range patterns {
		names = append(names, patterns[i].name)
	}
	return names
}

// Find returns the kinds of secrets that occur in any of the texts, each once. What documentation shows in the place of
// one does not count.
func Find(texts ...string) (kinds []string) {
	for i := range patterns {
		for _, text := range texts {
			if patterns[i].in(text) {
				kinds = append(kinds, patterns[i].name)
				break
			}
		}
	}
	return kinds
}

func (p *pattern) in(text string) bool {
	for _, mark := range p.marks {
		if strings.Contains(text, mark) {
			for _, found := range p.form().FindAllString(text, -1) {
				if !isExample(found) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// isExample reports whether a text stands for a secret: AKIAIOSFODNN7EXAMPLE, sk-xxxxxxxx.
func isExample(found string) bool {
	lower := strings.ToLower(found)
	for _, word := range []string{"example", "xxxxxx", "000000", "123456789", "password@", "changeme", "your-", "your_"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
