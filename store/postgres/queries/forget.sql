-- name: ForgetVectors
DELETE FROM message_embeddings WHERE id IN (SELECT id FROM turns WHERE conversation_id = ANY ($1::uuid[]));

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

-- Everything but the counters: an ordinal is never handed out twice. TRUNCATE would be seen by readers of earlier commits.
-- name: ForgetAllVectors
DELETE FROM message_embeddings;

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

-- name: ForgetAllRuns
DELETE FROM ingest_runs;

-- Gives the space of what was deleted back, and with it the bytes.
-- name: Vacuum
VACUUM conversations, messages, turns, chunks, documents, generations, message_embeddings, term_segments, term_blocks, ingest_runs;

-- name: Analyze
ANALYZE conversations, messages, turns, chunks, documents, generations, message_embeddings, term_segments, term_blocks, ingest_runs;
