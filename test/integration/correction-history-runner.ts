import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import type { Services } from '../../src/services.ts';
import type { IssuingCaller } from '../../src/subjects/accounts/entry/caller.ts';
import { checkInvoice } from '../../src/subjects/issuing/check-invoice.ts';
import { issueInvoice } from '../../src/subjects/issuing/issue-invoice.ts';
import { invoiceRequest } from '../../src/subjects/issuing/request.ts';
import { amendRecord } from '../../src/subjects/rectifying/amend-record.ts';
import { amendmentRequest } from '../../src/subjects/rectifying/amended-content.ts';
import { checkRectification } from '../../src/subjects/rectifying/check-rectification.ts';
import { exchangeInvoices } from '../../src/subjects/rectifying/exchange.ts';
import {
  exchangeRequest,
  replacementRequest,
  returnRequest,
} from '../../src/subjects/rectifying/exchange-request.ts';
import {
  type IssuedTogether,
  NOT_REPEATED,
  type Once,
} from '../../src/subjects/rectifying/issue-together.ts';
import { replaceExchange } from '../../src/subjects/rectifying/replace-exchange.ts';
import { returnOnExchange } from '../../src/subjects/rectifying/return-on-exchange.ts';
import { voidInvoice } from '../../src/subjects/rectifying/void-invoice.ts';
import { skipRecord } from '../../src/subjects/registration/skip-record.ts';
import { listByDecisive } from '../../src/subjects/registration/store/listed.ts';
import { ANA } from '../support/invoices/corrections.ts';
import { type Command, FamilyModel } from './family-model.ts';

/** The result of a history: the model at its end, and the ids of its invoices in the order of their places. */
export type HistoryRun = { readonly model: FamilyModel; readonly ids: readonly string[] };

let histories = 0;

/**
 * Runs a history through the real operations on the real database, and through the model. Throws at the first command that is
 * answered otherwise than the model says. `answers` counts what was answered.
 */
export async function runHistory(
  services: Services,
  caller: IssuingCaller,
  commands: readonly Command[],
  answers: Map<string, number>,
): Promise<HistoryRun> {
  histories += 1;
  const model = new FamilyModel(caller.environment);
  const runner = new HistoryRunner(services, caller, `h${histories}`);
  for (const [step, command] of commands.entries()) {
    const idOf = (of: number): string => runner.ids[model.place(of)]!;
    const documentOf = (of: number, ticket: number) => {
      const document = model.documentOf(model.place(of), ticket);
      return document === null ? undefined : runner.ids[document]!;
    };
    const isSimplified = (of: number) => model.invoices[model.place(of)]!.simplified;
    const answered = await runner.perform(command, { idOf, isSimplified, documentOf });
    const expected = model.perform(command);
    const answer = answered ?? `${command.kind} done`;
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (answered !== expected) {
      const path = JSON.stringify(commands.slice(0, step + 1));
      throw new Error(
        `command ${step + 1} was answered ${answered}, not ${expected}, in ${caller.environment}: ${path}`,
      );
    }
  }
  return { model, ids: runner.ids };
}

/** What the model says of invoices. */
type Model = {
  readonly idOf: (of: number) => string;
  readonly isSimplified: (of: number) => boolean;
  readonly documentOf: (of: number, ticket: number) => string | undefined;
};

class HistoryRunner {
  readonly ids: string[] = [];
  readonly #services: Services;
  readonly #caller: IssuingCaller;
  readonly #name: string;

  constructor(services: Services, caller: IssuingCaller, name: string) {
    this.#services = services;
    this.#caller = caller;
    this.#name = name;
  }

  /** Performs the command; the code of its refusal, or null. */
  async perform(command: Command, { idOf, isSimplified, documentOf }: Model): Promise<string | null> {
    const actor = 'cli:test';
    const reason = 'x';
    const by = { actor, within: null };
    const { environmentId } = this.#caller;
    switch (command.kind) {
      case 'issue': {
        const externalId = command.externalId && `${this.#name}-${command.externalId}`;
        return this.#issue({ ...this.#content(command.simplified, command.net), externalId });
      }
      case 'rectify': {
        const { recipient: _, ...content } = this.#content(
          isSimplified(command.of) !== command.wrongType,
          command.net,
        );
        return this.#issue({
          ...content,
          rectifies: { invoiceId: idOf(command.of), method: command.method },
        });
      }
      case 'void':
        return codeOf(
          await voidInvoice(this.#services, { actor, within: null }, { invoiceId: idOf(command.of), reason }),
        );
      case 'exchange': {
        const request = exchangeRequest.parse({ ticketIds: command.tickets.map(idOf), recipient: ANA });
        const outcome = await exchangeInvoices(this.#services, actor, environmentId, request);
        if (!isRefusal(outcome)) this.ids.push(outcome.invoice.id);
        return codeOf(outcome);
      }
      case 'return': {
        const request = returnRequest.parse({
          exchangeInvoiceId: idOf(command.of),
          ticketId: documentOf(command.of, command.ticket),
          lineItems: this.#content(true, command.net).lineItems,
          reason,
        });
        return this.#note(await returnOnExchange(this.#services, by, request, NOT_REPEATED));
      }
      case 'replace': {
        const input = { exchangeInvoiceId: idOf(command.of), recipient: ANA, reason };
        const request = replacementRequest.parse(input);
        return this.#note(await replaceExchange(this.#services, by, request, NOT_REPEATED));
      }
      case 'amend': {
        const request = amendmentRequest.parse({
          invoiceId: idOf(command.of),
          reason,
          description: 'Enmendada',
        });
        return codeOf(await amendRecord(this.#services, { actor, within: null }, request));
      }
      case 'skip': {
        const recordId = await this.#recordUnderWay(idOf(command.of));
        return codeOf(await skipRecord(this.#services, actor, { recordId, reason }));
      }
      case 'settle':
        await this.#settle(idOf(command.of), command.outcome);
        return null;
    }
  }

  #content(simplified: boolean, net: number) {
    const taxItems = [{ type: 'vat', rate: 21 }];
    const lineItems = [{ description: 'Servicio', quantity: 1, unitAmount: net * 100, taxItems }];
    return simplified
      ? { type: 'simplified', lineItems, recipient: undefined }
      : { type: 'complete', lineItems, recipient: ANA };
  }

  async #issue(content: object): Promise<string | null> {
    const request = invoiceRequest.parse(content);
    const check = request.rectifies === undefined ? checkInvoice : checkRectification;
    const how = { key: null, sent: null, sign: () => '', check };
    const { outcome } = await issueInvoice(this.#services, this.#caller, request, how);
    if (!isRefusal(outcome)) this.ids.push(outcome.stored.invoice.id);
    return codeOf(outcome);
  }

  #note({ outcome }: Once<IssuedTogether>): string | null {
    if (!isRefusal(outcome)) this.ids.push(...outcome.invoices.map(({ id }) => id));
    return codeOf(outcome);
  }

  async #recordUnderWay(invoiceId: string): Promise<string> {
    const { rows } = await this.#services.db.pool.query<{ id: string }>({
      name: 'runner-record',
      text: `select record.id from registration_record record
               join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
              where record.invoice_id = $1 order by state.status = 'pending' desc limit 1`,
      values: [invoiceId],
    });
    return rows[0]!.id;
  }

  /** The agency's word on what is under way, if anything is. */
  async #settle(invoiceId: string, outcome: string): Promise<void> {
    await this.#services.db.pool.query({
      name: 'runner-settle',
      text: `update record_state state
                set status = $2::registration_status, attempts = 1, settled_at = now(),
                    error_code = case $2 when 'rejected' then '1100' when 'registered_with_errors' then '2000' end
               from registration_record record
              where record.invoice_id = $1 and record.environment_id = state.environment_id
                and record.id = state.record_id and state.status = 'pending'`,
      values: [invoiceId, outcome],
    });
    await listByDecisive(this.#services.db.pool, this.#caller.environmentId, [invoiceId]);
  }
}

function codeOf(outcome: Outcome<unknown>): string | null {
  return isRefusal(outcome) ? outcome.code : null;
}
