import { noteStatements } from '../database/run-statements.ts';
import { RUN_LOG } from './run-log.ts';

const NOTING = Symbol.for('lacre.statements-are-noted');

// Once for each worker, which runs this before each of its files.
const worker = globalThis as { [NOTING]?: true };
if (worker[NOTING] === undefined) {
  worker[NOTING] = true;
  noteStatements(process.env[RUN_LOG]!);
}
