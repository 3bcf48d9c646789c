import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capacityTables } from './capacity.ts';

/** `npm run capacity`: puts the tables of the present figures into the guide. */
const GUIDE = join(import.meta.dirname, '../../../docs/guides/capacity.md');
const text = readFileSync(GUIDE, 'utf8');
writeFileSync(GUIDE, text.replace(/(<!-- tables -->\n).*?(\n<!-- end -->)/s, `$1${capacityTables()}$2`));
