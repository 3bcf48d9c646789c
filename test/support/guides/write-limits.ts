import { readFileSync, writeFileSync } from 'node:fs';
import { LIMITS_GUIDE, withLimitsTable } from './limits-table.ts';

/** `npm run limits`: writes the table of limits into its guide. */
writeFileSync(LIMITS_GUIDE, withLimitsTable(readFileSync(LIMITS_GUIDE, 'utf8')));
