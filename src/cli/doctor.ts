import { type Config, readConfig } from '../config.ts';
import { examine } from './doctor/examine.ts';
import { type Finding, failure, RESULTS, reasonOf, worstOf } from './doctor/finding.ts';

const USAGE = `Usage: npm run doctor -- [--json]

Looks at everything that registering depends on: Node, settings, software block, schemas, database, certificates, the
agency and its clock, chains, jobs; and at where documents are kept. It changes nothing. Exit status: 0 all is well, 1 a
warning, 2 a failure, 3 not understood. It works on DATABASE_URL, or on the database of the service that runs on this
machine (DATA_DIR).`;

const MARKS: Record<Finding['result'], string> = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' };

async function main(args: string[]): Promise<number> {
  const json = args.includes('--json');
  if (args.some((argument) => argument !== '--json')) {
    console.error(USAGE);
    return 3;
  }
  const findings: Finding[] = [];
  for await (const finding of findingsOf(configuration())) {
    findings.push(finding);
    if (json) continue;
    const cure = finding.cure === null ? '' : ` -> ${finding.cure}`;
    console.log(`${MARKS[finding.result]} ${finding.check}: ${finding.says}${cure}`);
  }
  const result = worstOf(findings);
  if (json) console.log(JSON.stringify({ result, findings }, null, 2));
  return RESULTS.indexOf(result);
}

function configuration(): Config | Finding {
  try {
    return readConfig();
  } catch (error) {
    const says = reasonOf(error).replaceAll(/\s*\n\s*/g, ' ');
    return failure('configuration', says, 'see the table of settings in docs/guides/deployment.md');
  }
}

async function* findingsOf(config: Config | Finding): AsyncGenerator<Finding> {
  if ('check' in config) yield config;
  else yield* examine(config);
}

process.exitCode = await main(process.argv.slice(2));
