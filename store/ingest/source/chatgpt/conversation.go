package chatgpt

import (
	"cmp"
	"slices"

	"lens/store"
	"lens/store/ingest/chat"
)

// decode parses one conversation object. Documents may be beside it.
func decode(raw []byte, beside *textdocs) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.ChatGPT}}
	var id, conversationID, model, defaultModel string
	mapping, damaged := false, false
	r.Object(func(name []byte) {
		switch string(name) {
		case "id":
			id = r.String()
		case "conversation_id":
			conversationID = r.String()
		case "title":
			r.draft.Title = r.Text(&r.draft.Count)
		case "create_time":
			r.draft.Created = r.Time()
		case "update_time":
			r.draft.Updated = r.Time()
		case "current_node":
			r.draft.Current = r.String()
		case "default_model_slug":
			defaultModel = r.String()
		case "model_slug":
			model = r.String()
		case "mapping":
			if r.Is('n') {
				return
			}
			const usual = 1500 // bytes of a node
			r.draft.Nodes = slices.Grow(r.draft.Nodes, len(raw)/usual+1)
			mapping = r.Object(r.node)
			damaged = !mapping
		}
	})
	r.draft.ID, r.draft.Model = cmp.Or(conversationID, id), cmp.Or(defaultModel, model)
	switch {
	case damaged:
		return nil, &chat.Skip{Reason: "unreadable", Nodes: len(r.draft.Nodes)}
	case !mapping:
		return nil, &chat.Skip{Reason: "no mapping"}
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(r.draft.Nodes)}
	}
	if r.derives {
		beside.addTo(&r.draft)
		r.draft.Derive = derive
	}
	return chat.Build(&r.draft), nil
}

// reader reads one conversation and collects its draft.
type reader struct {
	*chat.Cursor
	draft   chat.Draft
	last    message // that was read
	derives bool    // something may derive from it: derive need not look through messages without
}

// node reads one member of the mapping. Other nodes and current_node refer to a node by its key.
func (r *reader) node(key []byte) {
	n, before := chat.Node{ID: string(key)}, ""
	if last := len(r.draft.Nodes) - 1; last >= 0 {
		before = r.draft.Nodes[last].ID
	}
	wellFormed := r.Object(func(name []byte) {
		switch string(name) {
		case "id":
			if id := r.Repeated(n.ID); id != n.ID {
				n.Alias = id
			}
		case "parent":
			n.Parent = r.Repeated(before)
		case "children":
			n.Children = r.Strings()
		case "message":
			switch {
			case r.Is('{'):
				n.Message = r.message(n.ID)
			case !r.Is('n'):
				n.Dropped = "unreadable message"
			}
		}
	})
	if !wellFormed {
		n.Dropped = "unreadable node"
	}
	r.draft.Nodes = append(r.draft.Nodes, n)
}
