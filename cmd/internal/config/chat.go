package config

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Chat names the chat model and its server, and limits what it may take. A limit of 0 stands for the default of the
// package that it limits.
type Chat struct {
	Provider string
	BaseURL  string
	Key      string
	Model    string

	FirstToken time.Duration // longest wait for the first token of an answer
	NextToken  time.Duration // longest wait for the next one
	Time       time.Duration // of a whole investigation
	Rounds     int           // requests to the model in an investigation
	Turns      int           // turns that are read in an investigation
	Tokens     int           // in one request to the model
	Answer     int           // tokens of one message of the model
}

// URL returns the base URL of the server.
func (c Chat) URL() string { return cmp.Or(c.BaseURL, OpenAIURL) }

func chat(s layers) (Chat, error) {
	p, _ := selectProvider(s)
	c := Chat{Provider: p.name, BaseURL: p.baseURL, Key: p.key, Model: s.value("chat_model")}
	for _, d := range []struct {
		key  string
		into *time.Duration
	}{
		{"chat_first_token", &c.FirstToken},
		{"chat_next_token", &c.NextToken},
		{"chat_time", &c.Time},
	} {
		if err := duration(s, d.key, d.into); err != nil {
			return c, err
		}
	}
	for _, n := range []struct {
		key      string
		into     *int
		min, max int
	}{
		{"chat_rounds", &c.Rounds, 2, 50}, // one to search, one to answer
		{"chat_turns", &c.Turns, 1, 200},
		{"chat_tokens", &c.Tokens, 2_000, 50_000},
		{"chat_answer_tokens", &c.Answer, 256, 100_000},
	} {
		if err := number(s, n.key, n.min, n.max, n.into); err != nil {
			return c, err
		}
	}
	return c, nil
}

// duration reads a time. It changes nothing if the setting is not set.
func duration(s layers, key string, into *time.Duration) error {
	value, place := s.lookup(key)
	if value == "" {
		return nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < time.Second || d > 24*time.Hour {
		return wrong(key+" ("+place+") is not a time between 1s and 24h", "write it like 90s, 10m or 1h30m", nil)
	}
	*into = d
	return nil
}

// number reads a whole number. It changes nothing if the setting is not set.
func number(s layers, key string, least, most int, into *int) error {
	value, place := s.lookup(key)
	if value == "" {
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return wrong(
			fmt.Sprintf("%s (%s) is not a number between %d and %d", key, place, least, most),
			"write it in digits, or leave it unset", nil,
		)
	}
	*into = n
	return nil
}
