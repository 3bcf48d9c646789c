import { request } from 'node:https';
import type { Config } from '../../../ground/config/config.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { refuseInterimAnswers } from '../../../ground/lib/interim-answers.ts';
import { findSimulator } from '../../../startup/simulator.ts';
import { realAgency, simulatedAgency } from '../../../subjects/registration/aeat/endpoints.ts';
import type { AgencyAccess } from '../../../subjects/registration/aeat/transport.ts';
import type { Candidate } from './certificates.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

/** A reachable host answers within a second or two. */
const TIMEOUT_MS = 10_000;
/** So many certificates are tried: each is a handshake that the agency has to answer. */
const MAX_TRIED = 20;

/** What the agency, or its simulator, answers to each certificate, and its clock. */
export async function agency(config: Config, candidates: readonly Candidate[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  let drift: number | null = null;
  for (const { label, access } of targetsOf(config, candidates)) {
    const check = `agency with ${label}`;
    if (typeof access === 'string') {
      findings.push(failure(check, access, 'start the service, which starts the simulator'));
      continue;
    }
    const answer = await connect(access);
    const finding = findingOf(check, access, answer);
    findings.push({ ...finding, grouping: { cause: `agency: ${finding.summary}`, subject: label } });
    if (typeof answer !== 'string') drift ??= answer.driftMs;
  }
  return [...findings, clockFinding(drift)];
}

type AgencyTarget = { readonly label: string; readonly access: AgencyAccess | string };

function targetsOf({ agency, ...config }: Config, candidates: readonly Candidate[]): AgencyTarget[] {
  const usable = candidates.flatMap(({ label, presented }) =>
    presented === null ? [] : [{ label, presented }],
  );
  const { endpoint } = agency;
  if (endpoint !== 'simulator') {
    return usable.slice(0, MAX_TRIED).map(({ label, presented }) => ({
      label,
      access: realAgency(endpoint, presented),
    }));
  }
  const simulatorCertificate = { label: 'the simulator’s own certificate', presented: null };
  return [simulatorCertificate, ...usable].slice(0, MAX_TRIED).map(({ label, presented }) => {
    try {
      return { label, access: simulatedAgency(findSimulator({ agency, ...config }), presented) };
    } catch (error) {
      return { label, access: reasonOf(error) };
    }
  });
}

type AgencyResponse = { readonly status: number; readonly driftMs: number | null };

/** Requests the page of the service: any answer shows that host, handshake and certificate work. A text if there is none. */
function connect({ endpointUrl, ca, ...identity }: AgencyAccess): Promise<AgencyResponse | string> {
  return new Promise((resolve) => {
    const sentAt = clock.now().getTime();
    const outgoing = request(
      endpointUrl,
      {
        ...identity,
        ...(ca === null ? {} : { ca }),
        agent: false,
        timeout: TIMEOUT_MS,
      },
      (response) => {
        response.resume();
        const agencyTime = Date.parse(response.headers.date ?? '');
        // The header has whole seconds: on average half a second has passed of the one that it names.
        const midway = (sentAt + clock.now().getTime()) / 2;
        const driftMs = Number.isNaN(agencyTime) ? null : midway - (agencyTime + 500);
        resolve({ status: response.statusCode ?? 0, driftMs });
      },
    );
    refuseInterimAnswers(outgoing);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
    outgoing.on('error', (error) => resolve(reasonOf(error)));
    outgoing.end();
  });
}

function findingOf(check: string, { endpointUrl }: AgencyAccess, answer: AgencyResponse | string): Finding {
  const { host } = new URL(endpointUrl);
  if (typeof answer === 'string') {
    return failure(
      check,
      `${host} cannot be reached: ${answer}`,
      'check the network first; an aborted handshake means that the certificate is not accepted there (a simulator accepts only those of its own authority)',
    );
  }
  // What the agency answers to a certificate that it does not accept.
  if (answer.status === 401 || answer.status === 403) {
    return failure(
      check,
      `${host} refuses the certificate (HTTP ${answer.status})`,
      'upload one that it accepts',
    );
  }
  return ok(check, `${host} answers`);
}

/** Later than the agency's clock by four minutes records are flagged (2004). */
const DRIFT_WARNING_MS = 30_000;
const DRIFT_FAILURE_MS = 240_000;

/** The finding on this machine's clock, ahead of the agency's by so much. */
export function clockFinding(driftMs: number | null): Finding {
  const remediation = 'synchronize the machine’s clock with NTP';
  if (driftMs === null)
    return warning('clock', 'cannot be compared: no answer contained the time', 'fix the above first');
  const seconds = Math.round(Math.abs(driftMs) / 1_000);
  const summary = `${seconds} s ${driftMs < 0 ? 'behind' : 'ahead of'} the agency’s`;
  if (Math.abs(driftMs) > DRIFT_FAILURE_MS) return failure('clock', summary, remediation);
  return Math.abs(driftMs) > DRIFT_WARNING_MS ? warning('clock', summary, remediation) : ok('clock', summary);
}
