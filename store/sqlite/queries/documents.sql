-- Returns the chunk of a turn, with its document. The conversation is given by its number.
-- name: Chunk
SELECT d.path, d.filename, d.client_tag, d.modified_time, d.mime, d.content_hash, d.gone,
       c.source_id, c.seq, c.first_page, c.last_page, c.meta
FROM chunks c LEFT JOIN documents d ON d.conversation = c.conversation
WHERE c.conversation = ? AND c.turn_id = ?;

-- Returns the documents at a path, or between two paths, which means in a folder.
-- name: DocumentIDs
SELECT c.id FROM documents d JOIN conversations c ON c.number = d.conversation
WHERE c.source = 'documents' AND (?1 = '' OR d.path = ?1 OR d.path > ?2 AND d.path < ?3)
ORDER BY d.path, c.id;

-- Returns the documents between two paths, both exclusive, whatever their source.
-- name: DerivedIDs
SELECT c.id FROM documents d JOIN conversations c ON c.number = d.conversation
WHERE d.path > ?1 AND d.path < ?2;

-- name: Tags
SELECT DISTINCT client_tag FROM documents WHERE client_tag <> '';

-- name: PutDocument
INSERT INTO documents (conversation, path, filename, client_tag, modified_time, mime, content_hash, gone)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (conversation) DO UPDATE SET
    path = excluded.path, filename = excluded.filename, client_tag = excluded.client_tag, modified_time = excluded.modified_time,
    mime = excluded.mime, content_hash = excluded.content_hash, gone = excluded.gone;

-- name: PutChunk
INSERT INTO chunks (conversation, turn_id, seq, first_page, last_page, source_id, meta)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (conversation, turn_id) DO UPDATE SET
    seq = excluded.seq, first_page = excluded.first_page, last_page = excluded.last_page, source_id = excluded.source_id,
    meta = excluded.meta;
