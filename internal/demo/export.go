package demo

import "time"

// The objects of a ChatGPT export, as far as the demo needs them. In a slim export, optional members
// are null or missing.

type conversation struct {
	Title        *string         `json:"title"`
	Created      float64         `json:"create_time"`
	Updated      float64         `json:"update_time"`
	Mapping      map[string]node `json:"mapping"`
	Current      *string         `json:"current_node,omitempty"`
	ID           string          `json:"conversation_id"`
	Model        string          `json:"default_model_slug"`
	GPT          *string         `json:"gizmo_id"`
	GPTKind      *string         `json:"gizmo_type"`
	Archived     bool            `json:"is_archived"`
	Starred      *bool           `json:"is_starred"`
	Memory       string          `json:"memory_scope"`
	NotRemember  bool            `json:"is_do_not_remember"`
	Voice        *string         `json:"voice"`
	SafeURLs     []string        `json:"safe_urls"`
	BlockedURLs  []string        `json:"blocked_urls"`
	PluginIDs    []string        `json:"plugin_ids"`
	DuplicateID  string          `json:"id"`
	Moderation   []string        `json:"moderation_results"`
	DisabledTool []string        `json:"disabled_tool_ids"`
}

type node struct {
	ID       string    `json:"id"`
	Message  *message  `json:"message"`
	Parent   *string   `json:"parent"`
	Children *[]string `json:"children,omitempty"`
}

type message struct {
	ID        string   `json:"id"`
	Author    author   `json:"author"`
	Created   *float64 `json:"create_time"`
	Updated   *float64 `json:"update_time"`
	Content   any      `json:"content"`
	Status    string   `json:"status,omitempty"`
	EndTurn   *bool    `json:"end_turn,omitempty"`
	Weight    *float64 `json:"weight,omitempty"`
	Metadata  any      `json:"metadata,omitempty"`
	Recipient string   `json:"recipient,omitempty"`
	Channel   *string  `json:"channel,omitempty"`
}

type author struct {
	Role     string   `json:"role"`
	Name     *string  `json:"name"`
	Metadata struct{} `json:"metadata"`
}

// fields is an object of which only a few of many possible members are set. Its keys are encoded in alphabetical order.
type fields map[string]any

func textContent(text string) fields {
	return fields{"content_type": "text", "parts": []string{text}}
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// modelAt returns a model that was common at t; n chooses one of several.
func modelAt(t time.Time, n int) string {
	switch year := t.Year()*100 + int(t.Month()); {
	case year < 202304:
		return "text-davinci-002-render-sha"
	case year < 202405:
		return []string{"text-davinci-002-render-sha", "gpt-4"}[n%2]
	case year < 202501:
		return []string{"gpt-4o", "gpt-4o", "o1-preview"}[n%3]
	case year < 202508:
		return []string{"gpt-4o", "o3", "gpt-4-5"}[n%3]
	case year < 202602:
		return []string{"gpt-5", "gpt-5-thinking"}[n%2]
	}
	return []string{"gpt-5-2", "gpt-5-2-thinking", "gpt-5-2-instant"}[n%3]
}

func thinks(model string) bool {
	switch model {
	case "o1-preview", "o3", "gpt-5-thinking", "gpt-5-2-thinking":
		return true
	}
	return false
}
