-- What is put before the texts that a model embeds is part of a generation's recipe.

-- +goose Up
ALTER TABLE generations
    ADD COLUMN query_prefix    TEXT NOT NULL DEFAULT '',
    ADD COLUMN document_prefix TEXT NOT NULL DEFAULT '',
    DROP CONSTRAINT generations_provider_model_dim_recipe_key,
    ADD CONSTRAINT generations_recipe UNIQUE (provider, model, dim, recipe, query_prefix, document_prefix);

-- +goose Down

-- An older Lens would take vectors with prefixes for those without.
DELETE FROM message_embeddings e USING generations g
WHERE g.id = e.generation_id AND (g.query_prefix <> '' OR g.document_prefix <> '');

DELETE FROM generations WHERE query_prefix <> '' OR document_prefix <> '';

DELETE FROM embedded_texts t WHERE NOT EXISTS (SELECT FROM message_embeddings e WHERE e.content_hash = t.content_hash);

-- Deferred foreign keys would be in the way.
SET CONSTRAINTS ALL IMMEDIATE;

ALTER TABLE generations
    DROP CONSTRAINT generations_recipe,
    DROP COLUMN query_prefix,
    DROP COLUMN document_prefix,
    ADD CONSTRAINT generations_provider_model_dim_recipe_key UNIQUE (provider, model, dim, recipe);
