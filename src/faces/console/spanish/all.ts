import { COMPANIES } from './companies.ts';
import { DATA } from './data.ts';
import { DRAFTS } from './drafts.ts';
import { FRAME } from './frame.ts';
import { INVOICES } from './invoices.ts';
import { OPERATIONS } from './operations.ts';
import { REGISTRATION } from './registration.ts';
import { REMEDIATION } from './remediation.ts';
import { SETTINGS } from './settings.ts';

/** Every text of the console in Spanish, by its English one. */
export const SPANISH = {
  ...{ ...FRAME, ...COMPANIES, ...SETTINGS, ...INVOICES, ...DRAFTS },
  ...{ ...REGISTRATION, ...REMEDIATION, ...OPERATIONS, ...DATA },
} as const;
