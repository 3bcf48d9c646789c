import { z } from 'zod';
import { RegistrationStatus } from '../../../../generated/prisma/enums.ts';
import { column } from '../../../ground/db/rows.ts';

/** The columns of `record_state state` in the journal entry of a settled record. */
export const SETTLED_COLUMNS = `state.record_id, state.status, state.error_code, state.error_message, state.receipt,
  state.submission_id, state.settled_at`;

/** The row of `SETTLED_COLUMNS` of a record, settled or not. */
export const stateRow = z.object({
  record_id: z.string(),
  status: z.enum(RegistrationStatus),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  receipt: z.string().nullable(),
  submission_id: z.string().nullable(),
  settled_at: column.instant.nullable(),
});
