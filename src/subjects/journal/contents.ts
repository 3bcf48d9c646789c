import type { Queryable } from '../../ground/db/queryable.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import {
  amendmentText,
  bodyText,
  type InvoiceBody,
  invoiceText,
  type Receipt,
  type RecordRow,
  receiptHash,
  settledText,
  voidText,
} from '../../ground/journal/content.ts';
import {
  AUDIT_ENTRY,
  BRANDING,
  COUNTER_JUMP,
  ENVIRONMENT_AUDIT_ENTRY,
  type Form,
  INVOICE_PAYMENT,
  INVOICE_PAYMENT_REMOVAL,
  type Row,
  rowText,
  SOFTWARE_DECLARATION,
} from '../../ground/journal/forms.ts';
import { readBodies } from '../../ground/journal/store/sealed.ts';
import { INVOICE_BODY } from '../extensions/columns.ts';
import {
  readAddedRows,
  readAmendments,
  readPaymentRemovals,
  readPayments,
  readReceipts,
  readRecords,
  readStates,
  readVoids,
} from './store/rows.ts';

/** The subject of an entry, as far as its content is found by it. */
type About = { readonly type: string; readonly subjectId: string; readonly recordId: string | null };

const SETTLED = [
  'invoice.registered',
  'invoice.registered_with_errors',
  'invoice.rejected',
  'invoice.amendment_rejected',
  'invoice.void_rejected',
  'invoice.skipped',
];

/** What the installation's journal and the audit journals of environments consist of: an entry for each row of these. */
const ADDED: Record<string, Form> = {
  'audit_entry.added': AUDIT_ENTRY,
  'counter_jump.added': COUNTER_JUMP,
  'software_declaration.added': SOFTWARE_DECLARATION,
  'branding.added': BRANDING,
  'environment_audit_entry.added': ENVIRONMENT_AUDIT_ENTRY,
};

const rowTextOf = (form: Form, row: Row | undefined): string | null =>
  row === undefined ? null : rowText(form, row);

/** The sealed rows of a batch of entries, read a batch at a time. */
export class SealedRows {
  readonly #client: Queryable;
  readonly #environmentId: number;
  #bodies: ReadonlyMap<string, InvoiceBody> = new Map();
  #records: ReadonlyMap<string, RecordRow> = new Map();
  #states: Awaited<ReturnType<typeof readStates>> = new Map();
  #voids: ReadonlyMap<string, Row> = new Map();
  #amendments: ReadonlyMap<string, Row> = new Map();
  #payments: ReadonlyMap<string, Row> = new Map();
  #paymentRemovals: ReadonlyMap<string, Row> = new Map();
  #added: ReadonlyMap<string, Row> = new Map();
  /** The agency's answers, which many records share. */
  #receipts = new Map<string, string>();
  /** How many rows were found, by table. */
  readonly matched = new Map<string, number>();

  constructor(client: Queryable, environmentId: number) {
    this.#client = client;
    this.#environmentId = environmentId;
  }

  async load(entries: readonly About[]): Promise<void> {
    const client = this.#client;
    const id = this.#environmentId;
    const subjects = (...types: string[]) =>
      entries.filter(({ type }) => types.includes(type)).map(({ subjectId }) => subjectId);
    const records = (...types: string[]) =>
      entries.flatMap(({ type, recordId }) => (types.includes(type) && recordId !== null ? [recordId] : []));
    this.#bodies = await readBodies(client, INVOICE_BODY, id, subjects('invoice.issued', 'invoice.imported'));
    const recordIds = records('invoice.issued', 'invoice.voided', 'invoice.amended');
    this.#records = await readRecords(client, id, recordIds);
    this.#states = await readStates(client, id, records(...SETTLED));
    this.#voids = await readVoids(client, id, records('invoice.voided'));
    this.#amendments = await readAmendments(client, id, records('invoice.amended'));
    this.#payments = await readPayments(client, id, records('invoice.payment_recorded'));
    this.#paymentRemovals = await readPaymentRemovals(client, id, records('invoice.payment_removed'));
    const submitted = [...this.#states.values()].filter(({ receipt }) => receipt !== null);
    const submissions = new Set(
      submitted.flatMap(({ submission_id: sent }) => (sent === null ? [] : [sent])),
    );
    await this.#loadReceipts([...submissions]);
    this.#added = await this.#loadAdded(entries);
    this.#count();
  }

  async #loadReceipts(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#receipts.has(id));
    const read: ReadonlyMap<string, Receipt> = await readReceipts(this.#client, this.#environmentId, missing);
    const kept = ids
      .filter((id) => this.#receipts.has(id))
      .map((id) => [id, this.#receipts.get(id)!] as const);
    this.#receipts = new Map([...kept, ...[...read].map(([id, found]) => [id, receiptHash(found)] as const)]);
  }

  async #loadAdded(entries: readonly About[]): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>();
    for (const [type, form] of Object.entries(ADDED)) {
      const keys = entries.filter((entry) => entry.type === type).map(({ subjectId }) => subjectId);
      for (const [key, row] of await readAddedRows(this.#client, this.#environmentId, form, keys))
        rows.set(type + key, row);
    }
    return rows;
  }

  #count(): void {
    const counted = {
      ...{ invoice: this.#bodies, registration_record: this.#records, record_state: this.#states },
      ...{ invoice_void: this.#voids, invoice_amendment: this.#amendments },
      ...{ invoice_payment: this.#payments, invoice_payment_removal: this.#paymentRemovals },
    };
    for (const [table, rows] of Object.entries(counted)) {
      this.matched.set(table, (this.matched.get(table) ?? 0) + rows.size);
    }
  }

  /**
   * The content of an entry of the loaded batch, computed from its rows as they are now; null when a row is
   * missing.
   */
  textOf({ type, subjectId, recordId }: About): string | null {
    const record = recordId === null ? null : (this.#records.get(recordId) ?? null);
    switch (type) {
      case 'invoice.issued':
      case 'invoice.imported': {
        const body = this.#bodies.get(subjectId);
        if (body === undefined || (type === 'invoice.issued' && record === null)) return null;
        return invoiceText(sha256(bodyText(INVOICE_BODY, body)), body.invoice, record);
      }
      case 'invoice.voided':
        return record && voidText(record, this.#voids.get(recordId!) ?? null);
      case 'invoice.amended': {
        const row = this.#amendments.get(recordId!);
        return record && row ? amendmentText(record, row) : null;
      }
      case 'invoice.payment_recorded':
        return rowTextOf(INVOICE_PAYMENT, this.#payments.get(recordId ?? ''));
      case 'invoice.payment_removed':
        return rowTextOf(INVOICE_PAYMENT_REMOVAL, this.#paymentRemovals.get(recordId ?? ''));
      default:
        return SETTLED.includes(type) ? this.#settled(recordId) : this.#addedText(type, subjectId);
    }
  }

  /**
   * The body that the content of an issued or imported invoice hashes in `body_sha256`; null when the invoice is
   * missing.
   */
  bodyOf(invoiceId: string): string | null {
    const body = this.#bodies.get(invoiceId);
    return body === undefined ? null : bodyText(INVOICE_BODY, body);
  }

  /** The XML of a record; null without one. */
  xmlOf(recordId: string | null): string | null {
    return recordId === null ? null : (this.#records.get(recordId)?.xml ?? null);
  }

  #settled(recordId: string | null): string | null {
    const state = recordId === null ? undefined : this.#states.get(recordId);
    if (state === undefined) return null;
    const answered = state.receipt === null ? undefined : this.#receipts.get(state.submission_id ?? '');
    return settledText(state, answered ?? null);
  }

  #addedText(type: string, subjectId: string): string | null {
    const form = ADDED[type];
    const row = this.#added.get(type + subjectId);
    return form === undefined || row === undefined ? null : rowText(form, row);
  }
}
