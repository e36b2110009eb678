-- Returns the documents of conversations.
-- name: Documents
SELECT path, filename, client_tag, modified_time, mime, content_hash, gone, conversation_id
FROM documents WHERE conversation_id = ANY ($1::uuid[]);

-- Returns the documents at a path, or between two paths, which means in a folder.
-- name: DocumentIDs
SELECT c.id FROM documents d JOIN conversations c ON c.id = d.conversation_id
WHERE c.source = 'documents' AND ($1::text = '' OR d.path = $1 OR d.path > $2 AND d.path < $3)
ORDER BY d.path, c.id;

-- Returns the documents between two paths, both exclusive, whatever their source.
-- name: DerivedIDs
SELECT conversation_id FROM documents
WHERE path > $1::text AND path < $2::text;

-- name: Tags
SELECT DISTINCT client_tag FROM documents WHERE client_tag <> '';

-- Documents and chunks are written with COPY, after the old rows of their conversations and turns are
-- deleted.
-- name: DeleteDocuments
DELETE FROM documents WHERE conversation_id = ANY ($1::uuid[]);

-- name: CopyDocuments
COPY documents (conversation_id, path, filename, client_tag, modified_time, mime, content_hash, gone) FROM STDIN (FORMAT binary);

-- name: DeleteChunks
DELETE FROM chunks WHERE turn_id = ANY ($1::uuid[]);

-- name: CopyChunks
COPY chunks (conversation_id, turn_id, seq, first_page, last_page, source_id, meta) FROM STDIN (FORMAT binary);
