-- name: ImportedEpoch
SELECT epoch FROM imported_epoch;

-- name: ImportedRoots
SELECT root, path, data, imported_at FROM imported_files WHERE path = x'' ORDER BY root;

-- name: ImportedFiles
SELECT root, path, data, imported_at FROM imported_files WHERE root = ? ORDER BY path;

-- name: AllImportedFiles
SELECT root, path, data, imported_at FROM imported_files ORDER BY root, path;

-- name: PutImportedFile
INSERT INTO imported_files (root, path, data, imported_at) VALUES (?, ?, ?, ?)
ON CONFLICT (root, path) DO UPDATE SET data = excluded.data, imported_at = excluded.imported_at;

-- name: DropImportedFile
DELETE FROM imported_files WHERE root = ? AND path = ?;

-- Drops what is known of files; the paths that the user named stay.
-- name: DistrustImportedFiles
DELETE FROM imported_files WHERE path <> x'';

-- name: RaiseImportedEpoch
UPDATE imported_epoch SET epoch = epoch + 1;
