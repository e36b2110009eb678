-- Returns the texts of turns by their ordinals: the number of the turn, whether the text is the user's, and the text. A
-- turn without texts has one row.
-- name: TextsByOrd
SELECT asked.n, m.role = 'user', m.text
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (ord, n)
JOIN turns t ON t.ord = asked.ord
LEFT JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_id = t.id
     AND (m.id = t.user_message_id OR m.role = 'assistant' AND m.visible)
ORDER BY asked.n, m.seq;
