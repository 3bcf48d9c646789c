import { canonicalJson } from '../../ground/journal/canonical.ts';
import type { Endpoint } from './shapes.ts';

/** An endpoint as in the journal and in REST: null fields are left out, as in every content. */
export function endpointContent(endpoint: Endpoint): string {
  const { id, url, eventTypes, description, status, disabledReason, createdAt } = endpoint;
  return canonicalJson({
    ...{ id, url, status, event_types: eventTypes, created_at: createdAt },
    description: description ?? undefined,
    disabled_reason: disabledReason ?? undefined,
  });
}
