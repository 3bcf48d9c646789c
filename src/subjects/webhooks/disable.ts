import type { Queryable } from '../../ground/db/queryable.ts';
import { append } from '../../ground/journal/append.ts';
import { endpointContent } from './content.ts';
import type { Endpoint } from './shapes.ts';
import { updateEndpoint } from './store/endpoints.ts';

/** Disables an endpoint, and appends that to the journal for the other endpoints. In the caller's transaction. */
export async function disable(
  client: Queryable,
  environmentId: number,
  endpoint: Endpoint,
  { reason, at }: { readonly reason: string; readonly at: Date },
): Promise<Endpoint> {
  const disabled: Endpoint = { ...endpoint, status: 'disabled', disabledReason: reason };
  await updateEndpoint(client, environmentId, disabled);
  const content = endpointContent(disabled);
  await append(client, [
    { environmentId, type: 'webhook_endpoint.disabled', subjectId: disabled.id, at, content },
  ]);
  return disabled;
}
