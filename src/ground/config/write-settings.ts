import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS_GUIDE, withSettingsTable } from './settings-table.ts';

/** `npm run settings`: writes the table of settings into the guide on deployment. */
writeFileSync(SETTINGS_GUIDE, withSettingsTable(readFileSync(SETTINGS_GUIDE, 'utf8')));
