package config

import (
	"net/url"
	"slices"
	"strings"
)

// Secrets returns the values that must never be shown: keys, the database's URL, and its passwords alone, as they are written and as
// they are meant.
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
	if meant, ok := u.User.Password(); ok {
		authority := strings.FieldsFunc(address[len(u.Scheme):], func(r rune) bool { return strings.ContainsRune("/?#", r) })[1]
		_, written, _ := strings.Cut(authority[:strings.LastIndex(authority, "@")], ":")
		all = append(all, written, meant)
	}
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		if name, written, _ := strings.Cut(parameter, "="); strings.HasSuffix(name, "password") {
			meant, _ := url.QueryUnescape(written)
			all = append(all, written, meant)
		}
	}
	return all
}
