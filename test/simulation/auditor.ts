import { createHash } from 'node:crypto';
import type pg from 'pg';
import { auditJournal } from './journal-auditor.ts';

/**
 * Holds what the agency received against what the database says. It shares no code with the service: it reads the
 * bytes of the simulator's file and the rows of the database, and knows the rules by itself.
 */

/** A line of the simulator's file. */
export type RecordSeen = {
  readonly sequence: number;
  readonly nif: string;
  readonly kind: 'alta' | 'anulacion';
  readonly requestId: string;
  readonly csv: string | null;
  readonly incident: boolean;
  readonly fingerprint: string;
  readonly state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly code: number | null;
  readonly description: string | null;
  readonly xml: string;
};

/** An envelope as the simulator tells of it. */
export type EnvelopeSeen = {
  readonly sequence: number;
  readonly nif: string;
  readonly request_id: string;
  readonly csv: string | null;
  readonly records: number;
  readonly received_at: string;
  readonly answered_at: string | null;
  readonly wait_seconds: number | null;
};

export type Evidence = {
  readonly chain: { readonly environmentId: number; readonly chainId: number; readonly nif: string };
  /** As many records as were issued, cancellations included. */
  readonly issued: number;
  readonly records: readonly RecordSeen[];
  readonly envelopes: readonly EnvelopeSeen[];
  /** Records that were parked for a while, and so came out of turn. */
  readonly parked: ReadonlySet<string>;
  /** Whether leases were taken from workers that lived: two may then have sent at once, and too early. */
  readonly stolen: boolean;
};

type Row = {
  readonly id: string;
  readonly position: number;
  readonly kind: 'registration' | 'cancellation';
  readonly invoice_id: string;
  readonly fingerprint: string;
  readonly xml: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly receipt: string | null;
  readonly parked_reason: string | null;
  readonly settled: boolean;
};

/** Everything that is wrong with a chain once all is said to be settled; nothing when all is well. */
export async function audit(pool: pg.Pool, evidence: Evidence): Promise<string[]> {
  const { chain } = evidence;
  const { rows } = await pool.query<Row>(
    `select r.id, r.position, r.kind::text, r.invoice_id, r.fingerprint, r.xml, s.status::text, s.error_code,
            s.error_message, s.receipt, s.parked_reason, s.settled_at is not null as settled
       from registration_record r join record_state s on s.record_id = r.id and s.environment_id = r.environment_id
      where r.chain_id = $1 order by r.position`,
    [chain.chainId],
  );
  const faults: string[] = [];
  const report = (fault: string) => faults.push(`chain ${chain.chainId} (${chain.nif}): ${fault}`);
  if (rows.length !== evidence.issued)
    report(`${evidence.issued} records were issued, ${rows.length} are stored`);
  auditLinks(rows, report);
  auditReceipts(rows, evidence, report);
  auditOrder(rows, evidence, report);
  await auditEnvelopes(pool, evidence, report);
  await auditRest(pool, evidence, report);
  await auditJournal(pool, chain.environmentId, report);
  return faults;
}

type Report = (fault: string) => void;

const textIn = (xml: string, name: string): string | null =>
  new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`).exec(xml)?.[1] ?? null;
const unescaped = (text: string | null) =>
  (text ?? '').replace(
    /&(amp|lt|gt|quot);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!,
  );

/** The Huella by the agency's specification (v0.1.2), from the record's own text. */
function huella(xml: string, previous: string): string {
  const of = (name: string) => `${name}=${unescaped(textIn(xml, name))}`;
  const link = [`Huella=${previous}`, of('FechaHoraHusoGenRegistro')];
  const fields = xml.startsWith('<sf:RegistroAnulacion')
    ? ['IDEmisorFacturaAnulada', 'NumSerieFacturaAnulada', 'FechaExpedicionFacturaAnulada'].map(of)
    : [
        ...['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura', 'TipoFactura', 'CuotaTotal'].map(
          of,
        ),
        of('ImporteTotal'),
      ];
  return createHash('sha256')
    .update([...fields, ...link].join('&'), 'utf8')
    .digest('hex')
    .toUpperCase();
}

function auditLinks(rows: readonly Row[], report: Report): void {
  let previous = '';
  for (const [index, row] of rows.entries()) {
    const { xml } = row;
    const linked = /<sf:RegistroAnterior>.*<sf:Huella>([^<]*)<\/sf:Huella><\/sf:RegistroAnterior>/.exec(
      xml,
    )?.[1];
    if (row.position !== index + 1) report(`record ${row.position} stands at ${index + 1}`);
    if ((linked ?? '') !== previous) report(`record ${row.position} is not linked to the one before`);
    if (row.fingerprint !== huella(xml, previous)) report(`record ${row.position} has a wrong fingerprint`);
    if (!xml.includes(`<sf:Huella>${row.fingerprint}</sf:Huella></sf:Registro`))
      report(`record ${row.position} tells another`);
    previous = row.fingerprint;
  }
}

const WORDS: Record<string, string> = {
  registered: 'Correcto',
  registered_with_errors: 'AceptadoConErrores',
  rejected: 'Incorrecto',
};

function auditReceipts(rows: readonly Row[], { records, stolen }: Evidence, report: Report): void {
  const bytes = new Map(rows.map((row) => [row.xml, row]));
  const of = new Map<Row, RecordSeen[]>();
  for (const seen of records) {
    const row = bytes.get(seen.xml);
    if (row === undefined) report(`the agency received what nobody sealed: ${seen.xml.slice(0, 300)}`);
    else of.set(row, [...(of.get(row) ?? []), seen]);
  }
  const newest = new Map(rows.map((row) => [row.invoice_id, row]));
  for (const row of rows) {
    const seen = of.get(row) ?? [];
    const accepted = seen.filter(({ state }) => state !== 'Incorrecto');
    const recordText = `record ${row.position} (${row.status}, ${row.error_code}; received ${seen.map(brief).join(', ') || 'never'})`;
    if (!row.settled || WORDS[row.status] === undefined) report(`${recordText} is not settled`);
    if (accepted.length > 1) report(`${recordText} was accepted more than once`);
    const [taken] = accepted;
    if (taken === undefined) {
      if (row.status !== 'rejected') report(`${recordText} is not what the agency holds`);
      else if (String(seen.at(-1)?.code) !== row.error_code) report(`${recordText} has another reason`);
      continue;
    }
    const again = seen.slice(seen.indexOf(taken) + 1);
    if (again.some(({ code }) => code !== 3000 && code !== 3001))
      report(`${recordText} came again and was no duplicate`);
    if (!stolen && again.some(({ incident }) => !incident))
      report(`${recordText} came again without word of an incident`);
    // Of an invoice the agency tells the newest record only, and so nothing of errors in one before.
    const unreported = row.receipt === null && newest.get(row.invoice_id) !== row;
    if (row.status !== 'registered' && WORDS[row.status] !== taken.state)
      report(`${recordText} differs in its state`);
    if (row.status === 'registered' && taken.state !== 'Correcto' && !unreported)
      report(`${recordText} differs in its state`);
    if (row.status === 'registered_with_errors') {
      if (row.error_code !== String(taken.code) || row.error_message !== taken.description)
        report(`${recordText} has another reason`);
    }
    if (row.receipt !== null && row.receipt !== taken.csv) report(`${recordText} has another receipt`);
  }
}

const brief = ({ state, code }: RecordSeen) => (code === null ? state : `${state} ${code}`);

/** Records came for the first time in the order of the chain. */
function auditOrder(rows: readonly Row[], { records, parked, stolen }: Evidence, report: Report): void {
  if (stolen) return;
  const positions = new Map(
    rows.filter(({ id }) => !parked.has(id)).map((row) => [row.fingerprint, row.position]),
  );
  const seen = new Set<number>();
  let last = 0;
  for (const { fingerprint } of records) {
    const position = positions.get(fingerprint);
    if (position === undefined || seen.has(position)) continue;
    seen.add(position);
    if (position < last) report(`record ${position} came after record ${last}`);
    last = position;
  }
}

const TOLERANCE_MS = 250;

/** Never more than fits, never two at once, never before the time that the agency had set. */
async function auditEnvelopes(pool: pg.Pool, evidence: Evidence, report: Report): Promise<void> {
  const { chain, envelopes, records, stolen } = evidence;
  const { rows } = await pool.query<{ receipt: string }>(
    'select receipt from submission where chain_id = $1 and receipt is not null',
    [chain.chainId],
  );
  const read = new Set(rows.map(({ receipt }) => receipt));
  const carried = new Map<string, number>();
  for (const { requestId } of records) carried.set(requestId, (carried.get(requestId) ?? 0) + 1);
  let wait = 60;
  let before: EnvelopeSeen | undefined;
  for (const envelope of envelopes) {
    const size = carried.get(envelope.request_id) ?? 0;
    if (size > 1_000 || size !== envelope.records) report(`an envelope held ${size} records`);
    if (before !== undefined && !stolen) {
      const gap = Date.parse(envelope.received_at) - Date.parse(before.received_at);
      if (gap < wait * 1_000 - TOLERANCE_MS && size < 1_000) {
        report(
          `envelope ${envelope.sequence} with ${size} records came after ${gap} ms instead of ${wait} s`,
        );
      }
      if (before.answered_at !== null && before.answered_at > envelope.received_at) {
        report(`envelope ${envelope.sequence} came while another was being answered`);
      }
    }
    const waitSeconds = envelope.wait_seconds ?? wait;
    // An answer of which nobody knows whether it was read may be followed or not.
    wait = envelope.csv !== null && read.has(envelope.csv) ? waitSeconds : Math.min(waitSeconds, wait);
    before = envelope;
  }
}

/** Nothing is left over: no lease, no failure, no incident, no envelope without an end. */
async function auditRest(pool: pg.Pool, { chain }: Evidence, report: Report): Promise<void> {
  const { rows } = await pool.query<{ rest: string }>(
    `select concat_ws(', ', case when lease_token is not null then 'a lease' end,
              case when stopped_at is not null then 'a stop' end,
              case when consecutive_failures > 0 then 'failures' end,
              case when incident_since is not null then 'an incident' end,
              case when exists (select from submission where chain_id = $1 and finished_at is null)
                   then 'an open submission' end,
              case when exists (select from submission where chain_id = $1 and record_count > 1000)
                   then 'a submission of more than 1000' end) as rest
       from chain_dispatch where chain_id = $1`,
    [chain.chainId],
  );
  if (rows[0]?.rest !== '') report(`there is left: ${rows[0]?.rest}`);
}
