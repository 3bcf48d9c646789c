import { z } from 'zod';
import { RegistrationStatus } from '../../../../generated/prisma/enums.ts';
import { column } from '../../../ground/db/rows.ts';

/** Of `record_state state`, what the journal tells of a record that is settled. */
export const SETTLED_COLUMNS = `state.record_id, state.status::text, state.error_code, state.error_message, state.receipt,
  state.submission_id, state.settled_at`;

/** What `SETTLED_COLUMNS` answer of a record, settled or not. */
export const stateRow = z.object({
  record_id: z.string(),
  status: z.enum(RegistrationStatus),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  receipt: z.string().nullable(),
  submission_id: z.string().nullable(),
  settled_at: column.instant.nullable(),
});
