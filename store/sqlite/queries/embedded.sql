-- Returns the embedded texts of a turn in the active generation.
-- name: Embedded
SELECT e.generation_id, e.content_hash, e.used_turn_summary, t.content_used
FROM generations g CROSS JOIN message_embeddings e ON e.id = ? AND e.generation_id = g.id
LEFT JOIN embedded_texts t ON t.content_hash = e.content_hash
WHERE g.active;

-- Returns 1 if the vector of a turn in a generation was made of a text. It reads the index alone: the rows are wide.
-- name: IsEmbedded
SELECT 1 FROM message_embeddings INDEXED BY message_embeddings_by_content
WHERE content_hash = ? AND id = ? AND generation_id = ?;

-- Returns one of the vectors that were made of a text.
-- name: VectorOfText
SELECT vector FROM message_embeddings WHERE content_hash = ?1 AND generation_id = ?2 ORDER BY id LIMIT 1;

-- Returns a page of the texts.
-- name: EmbeddedTexts
SELECT content_hash, content_used FROM embedded_texts WHERE content_hash > ? ORDER BY content_hash LIMIT ?;

-- Returns a page of the vectors without a row of embedded_texts, or of those whose row has no text.
-- name: VectorsWithoutText
SELECT e.content_hash, e.id, e.generation_id
FROM message_embeddings e LEFT JOIN embedded_texts t ON t.content_hash = e.content_hash
WHERE (e.content_hash, e.id, e.generation_id) > (?2, ?3, ?4) AND t.content_used IS NULL AND (t.content_hash IS NOT NULL) = ?1
ORDER BY e.content_hash, e.id, e.generation_id LIMIT ?5;

-- Inserts the text of a vector that exists, or fills in a lost one.
-- name: PutEmbeddedText
INSERT INTO embedded_texts (content_hash, content_used)
SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM message_embeddings WHERE content_hash = ?1)
ON CONFLICT (content_hash) DO UPDATE SET content_used = excluded.content_used WHERE content_used IS NULL;

-- Deletes a text of which no vector is left.
-- name: DropEmbeddedText
DELETE FROM embedded_texts WHERE content_hash = ?1 AND NOT EXISTS (SELECT 1 FROM message_embeddings WHERE content_hash = ?1);
