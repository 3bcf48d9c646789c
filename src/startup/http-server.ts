import type { FastifyInstance } from 'fastify';
import { buildServer } from '../../rest/server.ts';
import type { TrafficBounds } from '../../rest/traffic.ts';
import { addConsole } from '../faces/console/routes.ts';
import { addDocs } from '../faces/docs/routes.ts';
import { addPortal } from '../faces/portal/routes.ts';
import { isMigrated } from '../ground/db/migrate.ts';
import type { Services } from '../services.ts';
import { createExposition, EXPOSITION_TYPE } from '../subjects/operations/exposition.ts';

/**
 * The HTTP server with everything that it serves: the API of rest/, health and metrics, and the pages. Not yet
 * listening. `bounds`: limits other than those of the table.
 */
export function openHttpServer(
  services: Services,
  bounds: Partial<TrafficBounds> = {},
): Promise<FastifyInstance> {
  return buildServer(
    services,
    {
      isMigrated: () => isMigrated(services.db.pool),
      exposition: { type: EXPOSITION_TYPE, text: createExposition(services) },
      pages: [addDocs, addPortal, addConsole].map((addPages) => (server) => addPages(server, services)),
    },
    bounds,
  );
}
