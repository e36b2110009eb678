package errs

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ForClient describes an error to a client on another machine, without the location of the archive and the number of
// tries left to unlock it: a sentence, and the next step if there is one. An empty message means that the client may
// see only the code. A hint about the server says so; one about flags of a command line is left out.
func ForClient(err error) (message, hint string) {
	if err == nil || CodeOf(err) == Locked || !IsPublic(err) {
		return "", ""
	}
	all := describe(err, namesNoPath)
	if len(all) == 0 || all[0].Message == "" {
		return "", ""
	}
	f := all[0]
	switch {
	case flag.MatchString(f.Hint):
	case ofServer.MatchString(f.Hint):
		hint = "On the server: " + strings.TrimRight(f.Hint, ".") + "."
	default:
		hint = sentence(f.Hint)
	}
	return sentence(f.Message), hint
}

// FirstForAnyone is First without the words of another server that name a path: for a sentence that people on this
// machine and clients on others read alike.
func FirstForAnyone(err error) Failure {
	if all := describe(err, namesNoPath); len(all) > 0 {
		return all[0]
	}
	return Failure{}
}

func namesNoPath(said string) bool { return !path.MatchString(said) }

var (
	flag     = regexp.MustCompile(`(^|\s)--?[a-z]`)                          // of a command line
	ofServer = regexp.MustCompile(`\blens( |$)|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+`) // a command or a setting
)

// IsPublic reports whether a client on another machine may read the messages and hints of an error: none of them names
// a path, or comes from a part whose messages may name the archive, an index, a model or a file of theirs.
func IsPublic(err error) bool {
	for e := range chain(err) {
		if !slices.ContainsFunc(public, e.from) || path.MatchString(e.Message) || path.MatchString(e.Hint) {
			return false
		}
	}
	return true
}

// public are the packages, operations and tools whose errors say what is wrong with a request, or with a model or an
// index, and not where that is.
var public = []string{
	"retrieval", "query", "timebin", "agent", "openai", "embed", "local", "open model", "open chat model", "shard",
	"index", "store: check facts", "offline", "offline query", "sandbox", "keywords", "audit", "mcp", "peek", "turn",
	"turns", "compare", "activity", "search",
}

// path matches an absolute path of at least two names, on any system.
var path = regexp.MustCompile(`(^|[^\w/:])(/[^\s/]+/|~[/\\]|[A-Za-z]:[/\\]|\\\\)\S`)

// sentence capitalizes text and ends it with a full stop; "" stays "".
func sentence(text string) string {
	text = strings.TrimRight(text, ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
