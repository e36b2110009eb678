package provider

import (
	"regexp"
	"strconv"
	"strings"

	"lens/internal/lazyregexp"
)

// minOutput is the least output, in tokens, that is worth asking for: less would cut every answer, where leaving out
// some of the input helps more.
const minOutput = 512

// outputNames are how refusals name the output. Without one, only the input is too long.
var outputNames = []string{
	"max_tokens", "max_completion_tokens", "max_new_tokens", "completion", "output tokens", "in the output",
}

// outputMaximums match the greatest output limit that a model takes, whatever the input.
var outputMaximums = []func() *regexp.Regexp{
	lazyregexp.New(`at most ([0-9]+) completion tokens`),                            // OpenAI
	lazyregexp.New("less than or equal to [`'\"]?([0-9]+)"),                         // Groq
	lazyregexp.New(`range of max_(?:completion_)?tokens[^\[]*\[\d+, ?([0-9]+)\]`),   // DeepSeek, Qwen
	lazyregexp.New(`expected a value <= ([0-9]+)`),                                  // Doubao
	lazyregexp.New(`> ([0-9]+), which is the maximum allowed number of output tok`), // Anthropic
}

var (
	// windowSize matches the tokens that input and output may have together: a model's context, or what an account may
	// use in a minute.
	windowSize = lazyregexp.New("context length is(?: only)? ([0-9]+)|must be <= ([0-9]+)|limit ([0-9]+), requested")

	// inputSize matches the tokens of the input, requestSize those of input and output.
	inputSize   = lazyregexp.New("(at least )?([0-9]+) (?:input|`?inputs`?) tokens")
	requestSize = lazyregexp.New(`requested (?:about )?([0-9]+)(?: tokens|[,.])`)
)

// OutputRoom returns the output limit that a server would take instead of asked, which it refuses: what its sentence
// says is left beside the input, or a quarter of the window if the sentence does not say how long the input is. It is 0
// if the refusal is not about the output limit, or nothing worth asking for is left. vLLM, OpenAI and their imitators
// refuse such a request; llama.cpp and Ollama answer as far as there is room.
func (b ErrorBody) OutputRoom(asked int) int {
	if asked <= 0 || !b.Contains(outputNames...) && !b.exceedsQuota() {
		return 0
	}
	room := 0
	if window := firstNumber(windowSize(), b.text); window > 0 {
		room = b.roomIn(window, asked)
	}
	for _, maximum := range outputMaximums {
		if n := firstNumber(maximum(), b.text); n > 0 {
			room = n
		}
	}
	if room < minOutput || room >= asked {
		return 0
	}
	return room
}

// roomIn returns what a window has left beside the input.
func (b ErrorBody) roomIn(window, asked int) int {
	if request := firstNumber(requestSize(), b.text); request > asked {
		return window - (request - asked)
	}
	input := inputSize().FindStringSubmatch(b.text)
	if input == nil || input[1] != "" { // "at least" counts no further than where the input is too long
		return min(window, asked) / 4
	}
	return window - number(input[2])
}

// firstNumber returns the first number that a group of the pattern matches, 0 without one.
func firstNumber(pattern *regexp.Regexp, text string) int {
	match := pattern.FindStringSubmatch(text)
	if match == nil {
		return 0
	}
	return number(strings.Join(match[1:], "")) // one group matches
}

// number returns the number that digits write, 0 for one that is too long.
func number(digits string) int {
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}
