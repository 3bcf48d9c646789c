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
 * The HTTP server with all that it serves: the API of rest/, what the process tells of itself, and the pages. Not yet
 * listening. `bounds`: other ones than those of the table of limits.
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
      pages: [addDocs, addPortal, addConsole],
    },
    bounds,
  );
}
