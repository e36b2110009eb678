package query

import (
	"fmt"
	"strings"
)

// The page "Searching" says how queries are typed. Every front end that has help shows it, made from Grammar and the
// table Filters.

// Example is something to type.
type Example struct {
	Typed string
	Names string // the flag and the parameter that do the same; "" for none
	Finds string // no full stop
}

// Grammar has an example of each part of a query.
var Grammar = []Example{
	{Typed: `docker compose`, Finds: "turns with these words, and turns that mean the same; the best first"},
	{Typed: `"docker compose"`, Finds: "turns with these words in this order, on one side of the turn"},
	{Typed: `docker -django`, Finds: "docker, but no turn with the word django"},
	{Typed: `docker -"rest api"`, Finds: "docker, but no turn with this phrase"},
	{Typed: `docker source:claude`, Finds: "docker, in turns that the filter lets through"},
	{Typed: `docker -source:claude`, Finds: "docker, in the other turns"},
	{Typed: `\-django`, Finds: "a word that would otherwise be special"},
}

// Part is a part of the page. Its text is one paragraph.
type Part struct {
	Title, Text string
	Examples    []Example
}

// Guide returns the page "Searching".
func Guide() []Part {
	return []Part{
		{
			"Queries", "A query is words, phrases, exclusions and filters, separated by blanks. The explorer, lens peek, " +
				"lens compare and lens export --query read it alike.", Grammar,
		},
		{
			"Details", "A phrase and an exclusion are exact up to case, accents and punctuation: -docker keeps a turn with " +
				"dockers. Everything else is a word, so std::string, 12:30 and addresses need no care. Filters alone count " +
				"every turn that they let through, the newest first. In a shell, quote the query: lens peek 'docker -django', " +
				"or put -- before it: lens peek docker -- -django. With --literal, everything is a plain word. A date in the " +
				"words, such as in May 2023 or last summer, moves turns near it up and leaves none out, in lens peek and the " +
				"explorer; since and until take its place, and so does --no-dates.", nil,
		},
		{
			"Filters", "On the command line, a filter is also a flag; over HTTP and MCP, where a query is always literal, " +
				"it is a parameter. A hyphen before a filter leaves out what it finds" + withoutOpposite() + ". Of several " +
				"values, one is enough; of title and meta, a turn has all. The window is what since and until both allow. " +
				fmt.Sprintf("A filter takes up to %d values.", MaxValues), explained(),
		},
	}
}

// withoutOpposite names the filters that cannot be negated.
func withoutOpposite() string {
	var keys []string
	for _, d := range Filters {
		if !d.Negatable {
			keys = append(keys, d.Key)
		}
	}
	last := len(keys) - 1
	return ", except before " + strings.Join(keys[:last], ", ") + " and " + keys[last]
}

func explained() []Example {
	all := make([]Example, len(Filters))
	for i, d := range Filters {
		all[i] = d.Explained()
	}
	return all
}

// Explained returns an example of the filter.
func (d Field) Explained() Example {
	e := Example{d.Key + ":" + QuoteValue(d.Example), "--" + d.Flag + ", " + d.Param, d.Doc}
	if len(d.Values) > 0 {
		e.Finds += ": " + strings.Join(d.Values, ", ")
	}
	return e
}
