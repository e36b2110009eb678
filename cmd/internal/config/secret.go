package config

import (
	"net/url"
	"slices"
	"strings"
)

// Secrets returns the values that must never be shown: keys, the database URL, and the passwords in it, both escaped
// and unescaped.
func (c Config) Secrets() []string {
	all := slices.Concat([]string{c.DatabaseURL, c.Embedding.Key, c.Chat.Key}, c.APIKeys, passwords(c.DatabaseURL))
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// passwords returns the passwords in a Postgres URL: the user's, and those among the parameters.
func passwords(address string) (all []string) {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	if plain, ok := u.User.Password(); ok {
		isDelimiter := func(r rune) bool { return strings.ContainsRune("/?#", r) }
		authority := strings.FieldsFunc(address[len(u.Scheme):], isDelimiter)[1]
		_, escaped, _ := strings.Cut(authority[:strings.LastIndex(authority, "@")], ":")
		all = append(all, escaped, plain)
	}
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		if name, escaped, _ := strings.Cut(parameter, "="); strings.HasSuffix(name, "password") {
			plain, _ := url.QueryUnescape(escaped)
			all = append(all, escaped, plain)
		}
	}
	return all
}
