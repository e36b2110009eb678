-- Returns the embedded texts of turns in the active generation.
-- name: Embedded
SELECT e.id, e.generation_id, e.content_hash, e.used_turn_summary, t.content_used
FROM generations g JOIN message_embeddings e ON e.id = ANY ($1::uuid[]) AND e.generation_id = g.id
LEFT JOIN embedded_texts t ON t.content_hash = e.content_hash
WHERE g.active;

-- Returns one of the vectors that were made of each text, with the text's number.
-- name: VectorsOfTexts
SELECT n.at, e.vector FROM unnest($2::bytea[]) WITH ORDINALITY AS n (content_hash, at)
CROSS JOIN LATERAL (SELECT vector FROM message_embeddings m WHERE m.content_hash = n.content_hash AND m.generation_id = $1
                    ORDER BY m.id LIMIT 1) e;

-- Returns a page of the texts.
-- name: EmbeddedTexts
SELECT content_hash, content_used FROM embedded_texts WHERE content_hash > $1 ORDER BY content_hash LIMIT $2;

-- Returns a page of the vectors without a row of embedded_texts, or of those whose row has no text.
-- name: VectorsWithoutText
SELECT e.content_hash, e.id, e.generation_id
FROM message_embeddings e LEFT JOIN embedded_texts t ON t.content_hash = e.content_hash
WHERE (e.content_hash, e.id, e.generation_id) > ($2::bytea, $3::uuid, $4::bigint)
  AND t.content_used IS NULL AND (t.content_hash IS NOT NULL) = $1
ORDER BY e.content_hash, e.id, e.generation_id LIMIT $5;

-- Inserts the texts of vectors that exist, or fills in lost ones. '' is a lost one.
-- name: PutEmbeddedTexts
INSERT INTO embedded_texts AS t (content_hash, content_used)
SELECT n.content_hash, nullif(n.content_used, '') FROM unnest($1::bytea[], $2::text[]) AS n (content_hash, content_used)
WHERE EXISTS (SELECT FROM message_embeddings e WHERE e.content_hash = n.content_hash)
ON CONFLICT (content_hash) DO UPDATE SET content_used = excluded.content_used WHERE t.content_used IS NULL;

-- Deletes the texts of which no vector is left.
-- name: DropEmbeddedTexts
DELETE FROM embedded_texts t
WHERE content_hash = ANY ($1::bytea[])
  AND NOT EXISTS (SELECT FROM message_embeddings e WHERE e.content_hash = t.content_hash);
