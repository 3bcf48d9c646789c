import { randomInt } from 'node:crypto';
import { type CheckContext, type Finding, finding } from './checks/finding.ts';
import type { Envelope, Envelopes } from './envelopes.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { headerFault } from './header.ts';
import type { Presenter } from './presenter.ts';
import type { SchemaFault, Schemas } from './schemas.ts';
import type { Settings, Statistics } from './settings.ts';
import { NAMESPACES, shapeFault } from './shapes.ts';
import { codedFault, type SoapFault, type SoapRequest } from './soap.ts';
import type { Entry, Store } from './store.ts';
import { type AnsweredRecord, type Receipt, submissionAnswer } from './submission-answer.ts';
import { type Submitted, submittedRecord } from './submitted.ts';
import { compactTimestamp, dayAt } from './time.ts';
import { childOf, childrenOf, sourceOf, textAt, type XmlElement } from './xml.ts';

/** Largest number of records in an envelope; a full one may come before its time (order HAC/1177/2024, art. 16.2). */
const FULL_ENVELOPE = 1_000;

/** What is held of each is in memory, without its XML: some 250 MiB of so many. */
export const MAX_RECORDS = 300_000;

/** Of the file, in which their XML stays. */
const MAX_BYTES = 2 * 1024 ** 3;

/** The number of issuers whose last envelope is remembered; the oldest is dropped for a new one. */
const MAX_ISSUERS = 10_000;

/** How much sooner than announced an envelope may arrive: the network's unevenness between two sendings. */
const EARLY_TOLERANCE_MS = 250;

/** The wait until an answer has given the issuer another (order HAC/1177/2024, art. 16.2). */
const FIRST_WAIT_SECONDS = 60;

/** The answer to an envelope that was taken. */
type StoredEnvelope = { readonly document: string; readonly envelope: Envelope };

/** RegFactuSistemaFacturacion: takes envelopes of records, judges them and keeps them. */
export class Registration {
  readonly #store: Store;
  readonly #schemas: Schemas | null;
  readonly #settings: Settings;
  readonly #statistics: Statistics;
  readonly #envelopes: Envelopes;
  readonly #mostRecords: number;
  readonly #now: () => Date;
  /** When each issuer last sent, and the wait in the answer to it. */
  readonly #last = new Map<string, { readonly at: number; readonly waitSeconds: number }>();

  constructor(parts: {
    readonly store: Store;
    readonly schemas: Schemas | null;
    readonly settings: Settings;
    readonly statistics: Statistics;
    readonly envelopes: Envelopes;
    readonly mostRecords: number;
    readonly now: () => Date;
  }) {
    this.#store = parts.store;
    this.#schemas = parts.schemas;
    this.#settings = parts.settings;
    this.#statistics = parts.statistics;
    this.#envelopes = parts.envelopes;
    this.#mostRecords = parts.mostRecords;
    this.#now = parts.now;
  }

  /** Deals with one envelope. When it gives an answer its records are in the file; a fault leaves nothing behind. */
  submit({ document, body }: SoapRequest, presenter: Presenter): StoredEnvelope | SoapFault {
    const { waitSeconds, enforceWait, clockAheadMs } = this.#settings;
    const now = new Date(this.#now().getTime() + clockAheadMs);
    const today = dayAt(now);
    const shape = structureFault(body);
    if (shape !== null) return shape;
    const offSchema = this.#schemas?.check('SuministroLR', document) ?? [];
    const header = childOf(body, 'Cabecera');
    const fault =
      offSchemaStructure(offSchema) ?? headerFault(header, presenter, today) ?? offSchemaHeader(offSchema);
    if (fault !== null) return fault;
    const elements = childrenOf(body, 'RegistroFactura').map((wrapper) => wrapper.children[0]!);
    if (this.#store.count + elements.length > this.#mostRecords || this.#store.size > MAX_BYTES) {
      return codedFault(3501, 'the simulator is full: empty its data folder');
    }
    const issuerNif = textAt(header, 'ObligadoEmision', 'NIF') ?? '';
    const early = this.#isEarly(issuerNif, elements.length, now);
    if (early && enforceWait) return codedFault(4134, 'TiempoEsperaEnvio');
    const announced = waitSeconds ?? this.#last.get(issuerNif)?.waitSeconds ?? FIRST_WAIT_SECONDS;
    const receipt = newReceipt(
      presenter.nif,
      now,
      textAt(header, 'RemisionVoluntaria', 'Incidencia') === 'S',
    );
    const invalidRecords = new Set(offSchema.map(({ record }) => record));
    const answered = elements.map((element, index) => {
      const context = { issuerNif, presenter, now, today, store: this.#store };
      return this.#take(document, element, invalidRecords.has(index), context, receipt);
    });
    try {
      this.#store.flush();
    } catch (error) {
      return codedFault(3501, `the simulator cannot keep it: ${(error as Error).message}`);
    }
    // The newest last.
    this.#last.delete(issuerNif);
    this.#last.set(issuerNif, { at: now.getTime(), waitSeconds: announced });
    if (this.#last.size > MAX_ISSUERS) this.#last.delete(this.#last.keys().next().value!);
    this.#statistics.envelopes += 1;
    this.#statistics.records += elements.length;
    const accepted = answered.some(({ evaluation }) => evaluation.state !== 'Incorrecto');
    const envelope = this.#envelopes.add({
      requestId: receipt.requestId,
      csv: accepted ? receipt.csv : null,
      nif: issuerNif,
      records: elements.length,
      receivedAt: now.toISOString(),
      early,
      waitSeconds,
    });
    return { document: submissionAnswer(header, receipt, answered, waitSeconds), envelope };
  }

  /** Judges one record against what is held, the envelope's earlier records included, and keeps it. */
  #take(
    document: string,
    element: XmlElement,
    hasInvalidValue: boolean,
    context: CheckContext,
    receipt: Receipt,
  ): AnsweredRecord {
    const record = submittedRecord(element);
    const stored = this.#store.invoice(record.nif, record.number, record.date);
    const evaluation = withSchema(evaluate(record, context), hasInvalidValue);
    const { nif, installation, fingerprint, previousFingerprint } = record;
    const link = this.#store.linkOf(nif, installation, fingerprint, previousFingerprint);
    this.#store.add({ ...entryOf(record, evaluation, receipt), link }, sourceOf(document, element));
    return { record, evaluation, stored };
  }

  #isEarly(issuerNif: string, records: number, now: Date): boolean {
    const last = this.#last.get(issuerNif);
    if (last === undefined || records >= FULL_ENVELOPE) return false;
    const early = now.getTime() - last.at < last.waitSeconds * 1_000 - EARLY_TOLERANCE_MS;
    if (early) this.#statistics.earlyEnvelopes += 1;
    return early;
  }
}

function structureFault(body: XmlElement): SoapFault | null {
  const fault = shapeFault(body, NAMESPACES.submission);
  if (fault === null) return null;
  if (fault.kind === 'too_many')
    return codedFault(fault.element === 'RegistroFactura' ? 4114 : 4113, fault.element);
  const wrapper = fault.element === 'RegistroAlta | RegistroAnulacion';
  return codedFault(wrapper ? 4136 : 4102, fault.element);
}

/** A structure that the schema forbids refuses the envelope (validations 3.1, structural). */
function offSchemaStructure(faults: readonly SchemaFault[]): SoapFault | null {
  const structural = faults.find(({ kind }) => kind === 'structure');
  return structural === undefined ? null : codedFault(4102, structural.reason);
}

/** A value that the schema forbids refuses the envelope only in its header (validations 3.1, syntactic). */
function offSchemaHeader(faults: readonly SchemaFault[]): SoapFault | null {
  const outside = faults.find(({ record }) => record === null);
  return outside === undefined ? null : codedFault(4102, outside.reason);
}

/** Inside a record a value that the schema forbids refuses that record, by the code of its field where there is one. */
function withSchema(evaluation: Evaluation, hasInvalidValue: boolean): Evaluation {
  if (!hasInvalidValue || evaluation.state === 'Incorrecto') return evaluation;
  const refused: Finding = finding(1100);
  return { state: 'Incorrecto', finding: refused };
}

const RECEIPT_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
let requests = 0;

/** Request number (20 digits, as the agency's look) and receipt code (16 characters) of an envelope. */
function newReceipt(presenterNif: string, now: Date, incident: boolean): Receipt {
  requests = (requests + 1) % 1_000_000;
  const letters = Array.from({ length: 14 }, () => RECEIPT_CHARACTERS[randomInt(RECEIPT_CHARACTERS.length)]);
  return {
    requestId: compactTimestamp(now) + String(requests).padStart(6, '0'),
    csv: `A-${letters.join('')}`,
    presenterNif,
    now,
    incident,
  };
}

function entryOf(
  record: Submitted,
  evaluation: Evaluation,
  receipt: Receipt,
): Omit<Entry, 'sequence' | 'link'> {
  const { element } = record;
  return {
    receivedAt: receipt.now.toISOString(),
    requestId: receipt.requestId,
    presenterNif: receipt.presenterNif,
    csv: evaluation.state === 'Incorrecto' ? null : receipt.csv,
    incident: receipt.incident,
    kind: record.kind,
    nif: record.nif,
    number: record.number,
    date: record.date,
    operationDate: record.operationDate,
    invoiceType: record.invoiceType,
    total: textAt(element, 'ImporteTotal'),
    reference: textAt(element, 'RefExterna'),
    amendment: textAt(element, 'Subsanacion') === 'S',
    previouslyRejected: textAt(element, 'RechazoPrevio'),
    installation: record.installation,
    fingerprint: record.fingerprint,
    previousFingerprint: record.previousFingerprint,
    state: evaluation.state,
    code: evaluation.finding?.code ?? null,
    description: evaluation.finding?.text ?? null,
  };
}
