import { createHash } from 'node:crypto';
import type { Queryable } from '../../ground/db/queryable.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { isIntegrationId } from './integrations.ts';
import { ensureIntegration } from './store/integrations.ts';
import { firstIntegrations, hasIntegration } from './store/read-integrations.ts';

/** The integration of an environment that had none when a customer was first named. */
const DEFAULT_NAME = 'default';

/** Computed, so that requests at the same time name the same one. */
function defaultIntegrationId(environmentId: number): string {
  const digest = createHash('sha256').update(`${DEFAULT_NAME} integration of ${environmentId}`);
  return `int_${digest.digest('hex').slice(0, 32)}`;
}

/** `isFirst`: there is none yet, and it is to be made with its first customer. */
export type ChosenIntegration = { readonly integrationId: string; readonly isFirst: boolean };

/**
 * The integration whose customer a request names: the one that it names, or the environment's only one. Codes: `integration_not_found`,
 * and `customer_ambiguous` when there are several and none is named.
 */
export async function chooseIntegration(
  db: Queryable,
  environmentId: number,
  named: string | null | undefined,
): Promise<Outcome<ChosenIntegration>> {
  if (named != null) {
    const integrationId = named;
    const isKnown = isIntegrationId(named) && (await hasIntegration(db, { environmentId, integrationId }));
    return isKnown ? { integrationId, isFirst: false } : unknownIntegration();
  }
  const [only, other] = await firstIntegrations(db, environmentId);
  if (other !== undefined) return severalIntegrations();
  if (only !== undefined) return { integrationId: only, isFirst: false };
  return { integrationId: defaultIntegrationId(environmentId), isFirst: true };
}

/** Makes the integration in the caller's transaction if it is the first of the environment. */
export async function ensureChosen(
  client: Queryable,
  environmentId: number,
  { integrationId, isFirst }: ChosenIntegration,
): Promise<void> {
  if (!isFirst) return;
  await ensureIntegration(client, {
    ...{ id: integrationId, environmentId, name: DEFAULT_NAME, createdAt: clock.now() },
    ...{ standardSeriesId: null, rectifyingSeriesId: null },
  });
}

const unknownIntegration = (): Refusal =>
  new Refusal('integration_not_found', 'No integration of this id exists in the environment.').about(
    'integrationId',
  );

export const severalIntegrations = (): Refusal =>
  new Refusal(
    'customer_ambiguous',
    'The environment has several integrations: integration_id is required.',
  ).about('integrationId');
