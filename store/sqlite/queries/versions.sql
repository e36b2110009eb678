-- Returns what PutVersions stored for a conversation.
-- name: Versions
SELECT data FROM versions WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- name: PutVersions
INSERT INTO versions (conversation, data) VALUES (?, ?) ON CONFLICT (conversation) DO UPDATE SET data = excluded.data;

-- name: DropVersions
DELETE FROM versions WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- Returns the conversations that have versions.
-- name: VersionedIDs
SELECT c.id FROM versions v JOIN conversations c ON c.number = v.conversation ORDER BY c.id;
