import { accessTokenOperations } from './access-tokens.ts';
import { apiKeyOperations } from './api-keys.ts';
import { brandingOperations } from './branding.ts';
import { portalOperations } from './customer-portal.ts';
import { customerOperations } from './customers.ts';
import { documentOperations } from './documents.ts';
import { draftOperations } from './drafts.ts';
import { emailOperations } from './emails.ts';
import { eventOperations } from './events.ts';
import { exchangeOperations } from './exchanges.ts';
import { batchOperations } from './invoice-batches.ts';
import { invoiceOperations } from './invoices.ts';
import { numberSeriesOperations } from './number-series.ts';
import type { Tagged } from './operation.ts';
import { paymentOperations } from './payments.ts';
import { registerBookOperations } from './register-books.ts';
import { scheduleOperations } from './schedules.ts';
import { taxIdOperations } from './tax-ids.ts';
import { taxTypeOperations } from './tax-types.ts';
import { testClockOperations } from './test-clock.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation, in the order of the OpenAPI document. */
export const CONTRACT: readonly Tagged[] = [
  ...invoiceOperations,
  ...exchangeOperations,
  ...documentOperations,
  ...batchOperations,
  ...paymentOperations,
  ...numberSeriesOperations,
  ...customerOperations,
  ...portalOperations,
  ...accessTokenOperations,
  ...apiKeyOperations,
  ...taxIdOperations,
  ...taxTypeOperations,
  ...brandingOperations,
  ...registerBookOperations,
  ...emailOperations,
  ...scheduleOperations,
  ...testClockOperations,
  ...draftOperations,
  ...eventOperations,
  ...webhookOperations,
];
