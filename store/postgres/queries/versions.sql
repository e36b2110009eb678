-- Returns what PutVersions stored for a conversation.
-- name: Versions
SELECT data FROM versions WHERE conversation_id = $1;

-- name: PutVersions
INSERT INTO versions (conversation_id, data) VALUES ($1, $2) ON CONFLICT (conversation_id) DO UPDATE SET data = excluded.data;

-- name: DropVersions
DELETE FROM versions WHERE conversation_id = ANY ($1::uuid[]);

-- Returns the conversations that have versions.
-- name: VersionedIDs
SELECT conversation_id FROM versions ORDER BY conversation_id;
