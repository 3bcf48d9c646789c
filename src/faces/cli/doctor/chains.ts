import type { Db } from '../../../ground/db/client.ts';
import { firstRows, listChains } from '../../../subjects/operations/store/read-lists.ts';
import { type ChainHealth, sendingIncident } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, ok, warning } from './finding.ts';

/** More companies than one installation is measured with; text groups them by cause. */
const MOST = 10_000;

/** Chains that do not send as they should. */
export async function chains({ pool }: Db): Promise<Finding[]> {
  const listed = await firstRows(listChains(pool, { troubled: true }), MOST);
  const incident = await sendingIncident(pool, null);
  if (listed.length === 0 && incident === null)
    return [ok('chains', 'every record is sent or pending without trouble')];
  const findings = listed.map(findingOf);
  if (incident === null) return findings;
  const summary = `${incident.pendingRecords} records delayed since ${incident.since.toISOString()}`;
  return [warning('chains', summary, 'see ops.sending_incident'), ...findings];
}

function findingOf(chain: ChainHealth): Finding {
  const trouble = troubleOf(chain);
  const { result, cause, remediation, more = '' } = trouble;
  const subject = `chain ${chain.chainId} of ${chain.companyId}`;
  const summary = `${subject}: ${chain.pending} pending, ${cause}${more}`;
  return { check: 'chains', result, summary, remediation, grouping: { cause, subject } };
}

type Trouble = {
  readonly result: 'warning' | 'failure';
  /** The same for all chains that it holds up. */
  readonly cause: string;
  /** What is so for this chain alone. */
  readonly more?: string;
  readonly remediation: string;
};

const SHOW = 'npm run cli -- chains list --troubled';
const FORKED =
  'the agency holds records that are missing here: compare them first (docs/guides/backup-and-restore.md, After a restore), then "lacre chains open-installation ENVIRONMENT" for each';

function troubleOf(chain: ChainHealth): Trouble {
  const { comparison, hold } = chain;
  if (chain.stoppedAt !== null)
    return {
      ...{ result: 'failure', cause: `stopped: ${chain.stoppedReason}` },
      remediation: `remove the cause, then "lacre chains retry CHAIN"; ${SHOW}`,
    };
  if (hold === 'forked')
    return { result: 'failure', cause: 'accepts no records: forked', remediation: FORKED };
  if (hold !== null) {
    const trouble = comparison?.trouble ?? null;
    const progress = comparison === null ? '' : `, ${comparison.compared} records compared with the agency`;
    const failed = trouble === null ? '' : `, which cannot be queried: ${trouble}`;
    return {
      ...{ result: 'failure', cause: `accepts no records: ${hold}`, more: `${progress}${failed}` },
      remediation:
        trouble === null
          ? 'wait: the hold ends when the agency holds nothing that is missing here'
          : 'make the agency answer (see the findings above): the comparison then goes on, and the hold ends',
    };
  }
  if (chain.pausedAt !== null)
    return {
      ...{ result: 'warning', cause: `paused: ${chain.pausedReason}` },
      remediation: `"lacre chains resume CHAIN"; ${SHOW}`,
    };
  if (chain.parked > 0)
    return {
      ...{ result: 'warning', cause: 'records are parked', more: `: ${chain.parked}` },
      remediation: 'see "lacre records parked", then unpark or skip each',
    };
  return {
    ...{ result: 'warning', cause: 'an incident', more: ` since ${chain.incidentSince?.toISOString()}` },
    remediation: `nothing if the agency is away: it is tried again each hour; otherwise ${SHOW}`,
  };
}
