-- Returns what the vectors were made of. A message may lie in another conversation than the turn that refers to it.
-- name: ForgetVectors
DELETE FROM message_embeddings WHERE seq IN (
    SELECT e.seq FROM turns t JOIN message_embeddings e ON e.id = t.id
    WHERE t.conversation = (SELECT number FROM conversations WHERE id = ?1)
    UNION
    SELECT e.seq FROM messages m JOIN message_embeddings e ON e.user_message_id = m.id
    WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?1)
    UNION
    SELECT e.seq FROM messages m JOIN message_embeddings e ON e.assistant_message_id = m.id
    WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?1)
) RETURNING content_hash;

-- Returns the same of the vectors that refer to a message.
-- name: ForgetMessageVectors
DELETE FROM message_embeddings WHERE user_message_id = ?1 OR assistant_message_id = ?1 RETURNING content_hash;

-- name: ForgetTurns
DELETE FROM turns WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- name: ForgetChunks
DELETE FROM chunks WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- name: ForgetDocument
DELETE FROM documents WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- name: ForgetMessages
DELETE FROM messages WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- name: ForgetConversation
DELETE FROM conversations WHERE id = ?;

-- name: ForgetTurn
DELETE FROM turns WHERE id = ?;

-- name: ForgetMessage
DELETE FROM messages WHERE id = ?;

-- The next queries delete everything except the counters: an ordinal is never reused. A DELETE without
-- WHERE truncates.
-- name: ForgetAllVectors
DELETE FROM message_embeddings;

-- name: ForgetAllEmbeddedTexts
DELETE FROM embedded_texts;

-- name: ForgetAllGenerations
DELETE FROM generations;

-- name: ForgetAllBlocks
DELETE FROM term_blocks;

-- name: ForgetAllSegments
DELETE FROM term_segments;

-- name: ForgetAllTurns
DELETE FROM turns;

-- name: ForgetAllChunks
DELETE FROM chunks;

-- name: ForgetAllDocuments
DELETE FROM documents;

-- name: ForgetAllMessages
DELETE FROM messages;

-- name: ForgetAllConversations
DELETE FROM conversations;

-- name: ForgetAllVersions
DELETE FROM versions;

-- name: ForgetAllImportedFiles
DELETE FROM imported_files;

-- name: ForgetAllImportRuns
DELETE FROM ingest_runs;
