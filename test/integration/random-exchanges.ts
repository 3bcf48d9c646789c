import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import type { Services } from '../../src/services.ts';
import type { IssuingCaller } from '../../src/subjects/accounts/entry/caller.ts';
import type { StoredInvoice } from '../../src/subjects/invoices/rows.ts';
import { exchangeInvoices } from '../../src/subjects/rectifying/exchange.ts';
import {
  exchangeRequest,
  replacementRequest,
  returnRequest,
} from '../../src/subjects/rectifying/exchange-request.ts';
import { type IssuedTogether, NOT_REPEATED } from '../../src/subjects/rectifying/issue-together.ts';
import { replaceExchange } from '../../src/subjects/rectifying/replace-exchange.ts';
import { returnOnExchange } from '../../src/subjects/rectifying/return-on-exchange.ts';
import type { Random } from '../simulation/random.ts';
import { RECIPIENTS } from './random-requests.ts';

type Exchanging = {
  readonly services: Services;
  readonly caller: IssuingCaller;
  /** Lets the agency have taken it. */
  readonly settle: (id: string) => Promise<void>;
  /** Told the code of each refusal. */
  readonly refused: (code: string) => void;
};

/** Exchanges tickets that nothing has corrected; of some of them something is returned, and some are made out to another recipient. */
export async function exchangeAtRandom(
  dice: Random,
  tickets: readonly [StoredInvoice, ...StoredInvoice[]],
  { services, caller, settle, refused }: Exchanging,
): Promise<void> {
  const by = { actor: 'cli:test', within: null };
  const note = (outcome: Outcome<unknown>) => isRefusal(outcome) && refused(outcome.code);
  const settleAll = async (outcome: Outcome<IssuedTogether>) => {
    note(outcome);
    if (!isRefusal(outcome)) for (const { id } of outcome.invoices) await settle(id);
  };
  const ticketIds = tickets.map(({ invoice }) => invoice.id);
  for (const id of ticketIds) await settle(id);
  const request = exchangeRequest.parse({ ticketIds, recipient: dice.pick(RECIPIENTS) });
  const exchange = await exchangeInvoices(services, by.actor, caller.environmentId, request);
  note(exchange);
  if (isRefusal(exchange)) return;
  const exchangeInvoiceId = exchange.invoice.id;
  await settle(exchangeInvoiceId);
  for (let turn = dice.integer(0, 2); turn > 0; turn -= 1) {
    const ticket = dice.pick(tickets);
    const lineItems = [takenBack(dice, ticket)];
    const ticketId = ticket.invoice.id;
    const sent = returnRequest.parse({ exchangeInvoiceId, ticketId, lineItems, reason: 'Devuelto' });
    await settleAll((await returnOnExchange(services, by, sent, NOT_REPEATED)).outcome);
  }
  if (!dice.chance(0.4)) return;
  const recipient = dice.pick(RECIPIENTS);
  const sent = replacementRequest.parse({ exchangeInvoiceId, recipient, reason: 'NIF de otra empresa' });
  await settleAll((await replaceExchange(services, by, sent, NOT_REPEATED)).outcome);
}

/** Something of what was sold with a line. */
function takenBack(dice: Random, { lines, taxItems }: StoredInvoice): object {
  const { description, position } = lines.find(({ subtotal }) => subtotal > 0) ?? lines[0]!;
  const { type, rate_basis_points: rate } = taxItems.find(({ line_position: of }) => of === position)!;
  return {
    ...{ description, quantity: 1, unitAmount: -dice.integer(100, 1_000) },
    taxItems: [rate === 0 && type !== 'vat' && type !== 'igic' ? { type } : { type, rate: rate / 100 }],
  };
}
