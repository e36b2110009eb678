-- Returns the texts of turns by their ordinals: the number of the turn, whether the text is the user's, the text, and
-- the user's of an answer that was not chosen. A turn without texts has one row.
-- name: TextsByOrd
SELECT asked.n, m.role = 'user', m.text, u.text
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (ord, n)
JOIN turns t ON t.ord = asked.ord
LEFT JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_id = t.id
     AND (m.id = t.user_message_id OR m.role = 'assistant' AND m.visible)
LEFT JOIN messages u ON NOT t.on_active_path AND u.id = t.user_message_id AND u.turn_id IS DISTINCT FROM t.id AND u.role = 'user'
ORDER BY asked.n, m.seq;
