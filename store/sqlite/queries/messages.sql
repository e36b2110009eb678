-- Returns all messages of a conversation, every branch.
-- name: Messages
SELECT id, source_id, parent_id, seq, role, content_type, turn_summary, model_slug, create_time, visible, on_active_path,
       turn_id, hash, body
FROM messages WHERE conversation = (SELECT number FROM conversations WHERE id = ?) ORDER BY seq;

-- Returns the user message of a turn whose answer was not chosen: it belongs to another turn.
-- name: AskedText
SELECT content_type = 'code', body FROM messages WHERE id = ? AND role = 'user';

-- Returns the states of a conversation's messages for a re-import.
-- name: MessageStates
SELECT id, hash FROM messages WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- Counts the commits of other connections, from any number.
-- name: OtherCommits
PRAGMA data_version;

-- Returns at least the number of messages.
-- name: LastMessage
SELECT max(rowid) FROM messages;

-- Returns all ids. It reads the index alone.
-- name: MessageIDs
SELECT id FROM messages;

-- name: MessageOwner
SELECT c.id FROM messages m JOIN conversations c ON c.number = m.conversation WHERE m.id = ?;

-- Inserts those of eight messages whose ids do not exist. A failure ends the transaction. So it need not be undone by
-- itself: ABORT would copy every page before it is changed.
-- name: InsertMessages
INSERT OR FAIL INTO messages (id, conversation, turn_id, seq, parent_id, role, visible, on_active_path, create_time, hash,
                              source_id, content_type, model_slug, turn_summary, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING;

-- name: PutMessage
INSERT INTO messages (id, conversation, turn_id, seq, parent_id, role, visible, on_active_path, create_time, hash,
                      source_id, content_type, model_slug, turn_summary, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    conversation = excluded.conversation, turn_id = excluded.turn_id, seq = excluded.seq, parent_id = excluded.parent_id,
    role = excluded.role, visible = excluded.visible, on_active_path = excluded.on_active_path,
    create_time = excluded.create_time, hash = excluded.hash, source_id = excluded.source_id,
    content_type = excluded.content_type, model_slug = excluded.model_slug, turn_summary = excluded.turn_summary,
    body = excluded.body;
