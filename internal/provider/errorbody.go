package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"slices"
	"strings"
	"unicode"

	api "github.com/sashabaranov/go-openai"

	"lens/internal/lazyregexp"
)

// ErrorBody is what a server says about a failure.
type ErrorBody struct {
	Code   string // an identifier such as model_not_found, which may be shown; "" for none
	Status int    // that an error inside a reply names, 400 to 599; 0 for none
	Page   bool   // a web page instead of an error: a proxy's, or a captive portal's
	Words  string // for people: one line of at most maxWords characters, without keys. Not for logs: it may quote a text

	text string // lower case; never shown
}

// identifier matches the codes that are safe to show: too short, and too plain, to hold a key.
var identifier = lazyregexp.New(`^[a-z][a-z_]{0,39}$`)

// ErrorBodyOf reads the client library's error.
func ErrorBodyOf(err error) ErrorBody {
	var structured *api.APIError
	var raw *api.RequestError
	switch {
	case errors.As(err, &structured):
		body := ErrorBody{text: strings.ToLower(structured.Message)}
		if code, ok := structured.Code.(string); ok && identifier().MatchString(code) {
			body.Code = code
		}
		return body
	case errors.As(err, &raw):
		return ErrorBody{text: strings.ToLower(string(raw.Body))}
	}
	return ErrorBody{}
}

// ReadErrorBody reads what a server sends instead of a reply: an error in the form of OpenAI's API or of its imitators,
// a web page, or text. Words does not quote secret.
func ReadErrorBody(raw []byte, secret string) ErrorBody {
	raw = bytes.TrimSpace(raw)
	if isPage(raw) {
		body := ErrorBody{Page: true, Words: "a web page"}
		if title := pageTitle().FindSubmatch(raw); title != nil {
			text := html.UnescapeString(string(title[1]))
			body.Words, body.text = words("web page: "+text, secret), strings.ToLower(text)
		}
		return body
	}
	said := readError(raw, 0)
	body := ErrorBody{Words: words(said.message, secret), text: strings.ToLower(said.message + "\n" + said.param)}
	for _, code := range []string{said.code, said.kind} {
		if body.Code == "" && identifier().MatchString(code) {
			body.Code = code
		}
	}
	if said.status >= 400 && said.status < 600 {
		body.Status = said.status
	}
	return body
}

// isPage reports whether a body is HTML or XML.
func isPage(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) }

var pageTitle = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title`)

// serverError holds the parts of an error that servers name alike.
type serverError struct {
	message, code, kind, param string
	status                     int
}

// readError reads {"error": {"message": …, "code": …, "type": …}}, {"error": "…"}, the inner object alone (vLLM), and
// {"detail": …} (FastAPI). All else is the message as it stands.
func readError(raw []byte, depth int) serverError {
	var list []json.RawMessage // Gemini
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 && depth == 0 {
		raw = list[0]
	}
	var fields struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Code    json.RawMessage `json:"code"`
		Type    json.RawMessage `json:"type"`
		Param   json.RawMessage `json:"param"`
	}
	if json.Unmarshal(raw, &fields) != nil {
		return serverError{message: plain(raw)}
	}
	if given(fields.Error) && depth == 0 {
		return readError(fields.Error, depth+1)
	}
	said := serverError{code: plain(fields.Code), kind: plain(fields.Type), param: plain(fields.Param)}
	_ = json.Unmarshal(fields.Code, &said.status) // 0 if it is not a number
	switch {
	case given(fields.Message):
		said.message = plain(fields.Message)
	case given(fields.Detail):
		said.message = plain(fields.Detail)
	default:
		said.message = plain(raw)
	}
	return said
}

// given reports whether a field is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// plain returns a JSON string without its quotes, and all else as it stands.
func plain(raw []byte) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// maxWords is the length of Words in characters.
const maxWords = 300

// credential matches what may be a key, an account or a password in a URL. Servers quote keys that they refuse, often
// with stars in the middle.
var credential = lazyregexp.New(`(?i)\b(?:sk|pk|rk|gsk|xai|hf|nvapi|org|proj)[-_][^\s"'&,;]{4,}` +
	`|\b(?:api[_-]?key|key|token|secret)[=:][^\s"'&,;]{4,}|\bBearer\s+[^\s"',;]+|\bAIza[\w-]+|\beyJ[\w.-]{8,}|//[^\s/@]*@`)

// minSecret is the length of the shortest key. What is shorter stands for one where a server of one's own takes any.
const minSecret = 4

// words makes a server's text fit to be shown: one line, without keys, and not too long.
func words(text, secret string) string {
	text = text[:min(len(text), 64*maxWords)]
	hide := func() {
		if len(secret) >= minSecret {
			text = strings.ReplaceAll(text, secret, "[key]")
		}
	}
	hide()
	text = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = credential().ReplaceAllString(strings.Join(strings.Fields(text), " "), "[key]")
	hide()
	if all := []rune(text); len(all) > maxWords {
		text = string(all[:maxWords-1]) + "…"
	}
	return text
}

// Contains reports whether the body contains one of phrases, which are in lower case.
func (b ErrorBody) Contains(phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(b.text, p) })
}

// TooLong reports whether a refusal with this status means that the input is longer than the model's context, or than
// the account allows, in the words of OpenAI, Ollama, vLLM, llama.cpp, LM Studio and their imitators. The status alone
// does not say so: llama.cpp sends 500, and a rate limit is about tokens, too.
func (b ErrorBody) TooLong(status int) bool {
	switch {
	case status == http.StatusRequestEntityTooLarge || b.exceedsQuota():
		return true
	case status == http.StatusTooManyRequests:
		return false
	case b.Code == "context_length_exceeded" || b.Code == "exceed_context_size_error":
		return true
	case b.Contains("took too long", "taking too long"): // a gateway's timeout
		return false
	}
	return b.Contains(
		"context length",
		"context window",
		"maximum context",
		"exceeds the available context",
		"context size has been exceeded",
		"context overflow",
		"too large to process",
		"too long",
		"maximum input length",
		"maximum model length",
		"maximum prompt length",
		"input tokens exceed",
		"input token count",
		"length of the messages",
		"tokens + `max_new_tokens`",
	)
}

// exceedsQuota reports whether this one request needs more tokens than the account may use in a minute, so that it
// fails whenever it is sent (OpenAI with 429, Groq with 413).
func (b ErrorBody) exceedsQuota() bool {
	return b.Contains("tokens must be reduced", "reduce your message size")
}
