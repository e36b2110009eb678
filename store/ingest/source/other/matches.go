package other

import (
	"slices"

	"lens/store"
	"lens/store/ingest/source"
)

func hasMessages(v source.Value) bool { return v.Get("messages").IsArray() }

func matchesChatbotUI(s *source.Sample) bool {
	return len(s.Values) > 0 && s.Values[0].Get("history").Any(hasMessages)
}

func matchesTypingMind(s *source.Sample) bool {
	return len(s.Values) > 0 && s.Values[0].Get("data", "chats").Any(hasMessages)
}

func matchesBetterChatGPT(s *source.Sample) bool {
	titled := func(v source.Value) bool { return v.Has("titleSet") && hasMessages(v) }
	return len(s.Values) > 0 && (s.Values[0].Get("chats").Any(titled) || s.Values[0].IsArray() && s.Values[0].Any(titled))
}

// matchesGeneric looks for messages of both sides, wherever read finds them.
func matchesGeneric(s *source.Sample) bool {
	elements := s.Values
	if len(elements) == 1 && elements[0].IsArray() {
		elements = elements[0].Elements()
	}
	return haveBothSides(elements) || slices.ContainsFunc(elements, func(v source.Value) bool { return holds(v, 0) })
}

// holds reports whether a value is a conversation or wraps one.
func holds(v source.Value, depth int) bool {
	if depth > maxWrappers || !v.IsObject() {
		return false
	}
	for _, name := range listNames {
		list := v.Get(name)
		within := func(v source.Value) bool { return holds(v, depth+1) }
		if list.IsArray() && (haveBothSides(list.Elements()) || list.Any(within)) || name == "data" && within(list) {
			return true
		}
	}
	return false
}

// haveBothSides reports whether a list has messages of a person and of an assistant.
func haveBothSides(list []source.Value) bool {
	said := func(by store.Role) bool {
		return slices.ContainsFunc(list, func(v source.Value) bool { return roleOf(v) == by })
	}
	return said(store.User) && said(store.Assistant)
}

// roleOf returns the role of a message with a text, "" for anything else.
func roleOf(v source.Value) store.Role {
	texts := func(name string) bool { return v.Get(name).IsString() || v.Get(name).IsArray() }
	if !slices.ContainsFunc(textNames, texts) {
		return ""
	}
	for _, name := range roleNames {
		if member := v.Get(name); member.IsString() {
			return role(member.Text())
		}
	}
	return ""
}
