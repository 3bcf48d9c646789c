-- GraphQL documents that front ends have published, by the hash by which browsers name them.
ALTER TABLE "environment" ADD COLUMN "trusted_documents_only" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "trusted_document" (
    "environment_id" INTEGER NOT NULL,
    "hash" CHAR(64) NOT NULL,
    "text" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trusted_document_pkey" PRIMARY KEY ("environment_id","hash")
);
ALTER TABLE "trusted_document" ADD CONSTRAINT "trusted_document_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What is asked by a hash must be what was published under it.
ALTER TABLE trusted_document ADD CONSTRAINT trusted_document_hash
  CHECK (hash = encode(sha256(convert_to(text, 'UTF8')), 'hex'));
