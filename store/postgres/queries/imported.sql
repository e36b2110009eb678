-- name: ImportedEpoch
SELECT epoch FROM imported_epoch;

-- name: ImportedRoots
SELECT root, path, data, imported_at FROM imported_files WHERE path = ''::bytea ORDER BY root;

-- name: ImportedFiles
SELECT root, path, data, imported_at FROM imported_files WHERE root = $1 ORDER BY path;

-- name: AllImportedFiles
SELECT root, path, data, imported_at FROM imported_files ORDER BY root, path;

-- name: PutImportedFile
INSERT INTO imported_files (root, path, data, imported_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (root, path) DO UPDATE SET data = excluded.data, imported_at = excluded.imported_at;

-- name: DropImportedFiles
DELETE FROM imported_files WHERE root = $1 AND path = ANY ($2);

-- Drops what is known of files; the paths that the user named stay.
-- name: DistrustImportedFiles
DELETE FROM imported_files WHERE path <> ''::bytea;

-- name: RaiseImportedEpoch
UPDATE imported_epoch SET epoch = epoch + 1;
