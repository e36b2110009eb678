-- Returns the texts of a turn by its ordinal: whether it is the user's, and the message's body. A turn without texts has
-- one row without a body.
-- name: TextsByOrd
SELECT m.role = 'user', m.body
FROM turns t
LEFT JOIN messages m ON m.conversation = t.conversation AND m.turn_id = t.id
     AND (m.id = t.user_message_id OR m.role = 'assistant' AND m.visible)
WHERE t.ord = ?
ORDER BY m.seq;

-- Returns the user message of a turn that has none of its own.
-- name: AskedTextByOrd
SELECT m.body FROM turns t JOIN messages m ON m.id = t.user_message_id AND m.role = 'user' WHERE t.ord = ?;
