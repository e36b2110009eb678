-- The chats with the agent, in a database of their own: see sessions.go.

-- name: SessionsVersion
PRAGMA user_version;

-- name: Session
SELECT id, name, created, updated, pinned, archived, exchanges, conclusions, content FROM sessions WHERE id = ?;

-- A page. The last two parameters are where the page before it ended.
-- name: ListSessions
SELECT id, name, created, updated, pinned, archived, exchanges, conclusions FROM sessions
WHERE archived = ? AND (updated, id) < (?, ?)
ORDER BY updated DESC, id DESC LIMIT ?;

-- Like ListSessions, for those that are pinned or those that are not.
-- name: ListPinnedSessions
SELECT id, name, created, updated, pinned, archived, exchanges, conclusions FROM sessions
WHERE archived = ? AND pinned = ? AND (updated, id) < (?, ?)
ORDER BY updated DESC, id DESC LIMIT ?;

-- name: ConcludedSessions
SELECT id, name, created, updated, pinned, archived, exchanges, conclusions, content FROM sessions
WHERE conclusions > 0 ORDER BY created, id;

-- name: CitedTurns
SELECT DISTINCT turn FROM session_citations ORDER BY turn;

-- name: PutSession
INSERT INTO sessions (id, name, created, updated, pinned, archived, exchanges, conclusions, content)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
	name = excluded.name, created = excluded.created, updated = excluded.updated, pinned = excluded.pinned,
	archived = excluded.archived, exchanges = excluded.exchanges, conclusions = excluded.conclusions,
	content = excluded.content;

-- name: DropSessionCitations
DELETE FROM session_citations WHERE session = (SELECT key FROM sessions WHERE id = ?);

-- name: AddSessionCitation
INSERT INTO session_citations (turn, session) SELECT ?, key FROM sessions WHERE id = ?;

-- name: SessionsCiting
SELECT sessions.id FROM session_citations JOIN sessions ON sessions.key = session WHERE turn = ?;

-- name: RemoveSession
DELETE FROM sessions WHERE id = ?;

-- name: ClearSessionCitations
DELETE FROM session_citations;

-- name: ClearSessions
DELETE FROM sessions;
