-- What keys may do, and until when. Those that exist keep what they could do: all scopes, and the role that may do everything.
ALTER TABLE "api_key"
    ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY['read', 'issue', 'correct', 'manage'],
    ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ADD CONSTRAINT "api_key_scopes_known" CHECK (
        coalesce(cardinality("scopes"), 0) > 0 AND "scopes" <@ ARRAY['read', 'issue', 'correct', 'manage']
    );

ALTER TABLE "operator_key"
    ADD COLUMN "role" TEXT NOT NULL DEFAULT 'admin',
    ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ADD CONSTRAINT "operator_key_role_known" CHECK ("role" IN ('viewer', 'operator', 'admin'));

-- From which web pages browsers may ask, with access tokens. A page's first question comes without one.
ALTER TABLE "environment"
    ADD COLUMN "allowed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
    ADD CONSTRAINT "environment_allowed_origins_known" CHECK ("allowed_origins" IS NOT NULL);

CREATE INDEX "environment_allowed_origins_idx" ON "environment" USING GIN ("allowed_origins");
