-- Returns the stored head of an audit log.
-- name: AuditHead
SELECT head FROM audit_heads WHERE log = ?;

-- name: SetAuditHead
INSERT INTO audit_heads (log, head) VALUES (?, ?) ON CONFLICT (log) DO UPDATE SET head = excluded.head;

-- name: DropAuditHead
DELETE FROM audit_heads WHERE log = ?;
