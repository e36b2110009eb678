-- Returns what the vectors were made of. A message may lie in another conversation than the turn that refers to it.
-- name: ForgetVectors
DELETE FROM message_embeddings WHERE ctid = ANY (ARRAY(
    SELECT e.ctid FROM turns t JOIN message_embeddings e ON e.id = t.id WHERE t.conversation_id = ANY ($1::uuid[])
    UNION
    SELECT e.ctid FROM messages m JOIN message_embeddings e ON e.user_message_id = m.id WHERE m.conversation_id = ANY ($1::uuid[])
    UNION
    SELECT e.ctid FROM messages m JOIN message_embeddings e ON e.assistant_message_id = m.id WHERE m.conversation_id = ANY ($1::uuid[])
)) RETURNING content_hash;

-- name: ForgetTurns
DELETE FROM turns WHERE conversation_id = ANY ($1::uuid[]);

-- name: ForgetChunks
DELETE FROM chunks WHERE conversation_id = ANY ($1::uuid[]);

-- name: ForgetDocuments
DELETE FROM documents WHERE conversation_id = ANY ($1::uuid[]);

-- name: ForgetMessages
DELETE FROM messages WHERE conversation_id = ANY ($1::uuid[]);

-- name: ForgetConversations
DELETE FROM conversations WHERE id = ANY ($1::uuid[]);

-- Returns the same of the vectors that refer to messages.
-- name: ForgetMessageVectors
DELETE FROM message_embeddings WHERE user_message_id = ANY ($1::uuid[]) OR assistant_message_id = ANY ($1::uuid[])
RETURNING content_hash;

-- name: ForgetSingleTurns
DELETE FROM turns WHERE id = ANY ($1::uuid[]);

-- name: ForgetSingleMessages
DELETE FROM messages WHERE id = ANY ($1::uuid[]);

-- The next queries delete everything except the counters: an ordinal is never reused. Readers of
-- earlier commits would see a TRUNCATE.
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

-- Frees the space of deleted rows and erases their bytes.
-- name: Vacuum
VACUUM conversations, messages, turns, chunks, documents, generations, message_embeddings, embedded_texts, term_segments, term_blocks, ingest_runs, forgotten, versions, imported_files, kept;

-- name: Analyze
ANALYZE conversations, messages, turns, chunks, documents, generations, message_embeddings, embedded_texts, term_segments, term_blocks, ingest_runs, forgotten, versions, imported_files, kept;
