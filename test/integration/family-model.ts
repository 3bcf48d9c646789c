/**
 * A family of invoices as the contract tells it, in as few words as possible and with nothing of the program: what each
 * command must return, and the state afterwards. Invoices are identified by their place in the history.
 */

/** What became of a record at the agency. */
export type Standing = 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';

type Invoice = {
  readonly simplified: boolean;
  readonly kind: 'original' | 'differences' | 'substitution' | 'exchange';
  /** The invoice that it corrects. */
  readonly corrects: number | null;
  /** The documents that it was issued in exchange for. */
  readonly exchanges: readonly number[];
  readonly total: number;
  readonly externalId: string | null;
  /** The first of the invoices that one command issued together. */
  readonly group: number | null;
  /** The exchange invoice that it takes back. */
  readonly reverses: number | null;
  voided: boolean;
  readonly registrations: Standing[];
  readonly cancellations: Standing[];
};

/** One command; `of` names the invoice by its place, modulo their number, the last one when it is negative. */
export type Command =
  | {
      readonly kind: 'issue';
      readonly simplified: boolean;
      readonly net: number;
      readonly externalId: string | null;
    }
  | {
      readonly kind: 'rectify';
      readonly of: number;
      readonly method: 'differences' | 'substitution';
      readonly net: number;
      /** Asks for the other type than the corrected invoice has. */
      readonly wrongType: boolean;
    }
  | { readonly kind: 'void' | 'amend' | 'skip'; readonly of: number }
  | { readonly kind: 'exchange'; readonly tickets: readonly number[] }
  /** `ticket` is one of the documents of the exchange invoice, modulo their number. */
  | { readonly kind: 'return'; readonly of: number; readonly ticket: number; readonly net: number }
  | { readonly kind: 'replace'; readonly of: number }
  | {
      readonly kind: 'settle';
      readonly of: number;
      readonly outcome: Exclude<Standing, 'pending' | 'skipped'>;
    };

/** 21 % of whole euros is whole cents. */
const gross = (net: number): number => net * 121;

/** What the agency holds of an invoice outlasts an amendment that it has not accepted, and a skipped one counts as none. */
export function standingOf(registrations: readonly string[]): string {
  const accepted = registrations.filter((one) => one.startsWith('registered'));
  const sent = registrations.filter((one) => one !== 'skipped');
  return [...registrations.slice(-1), ...sent.slice(-1), ...accepted.slice(-1)].at(-1)!;
}

export class FamilyModel {
  readonly invoices: Invoice[] = [];
  /** What records begin as: the test environment never hears of an agency. */
  readonly #birth: Standing;

  constructor(environment: 'test' | 'live') {
    this.#birth = environment === 'test' ? 'registered' : 'pending';
  }

  /** The place that a command refers to. */
  place(of: number): number {
    return of < 0 ? this.invoices.length - 1 : of % this.invoices.length;
  }

  /** The code with which the command must be refused, or null if it must succeed; then it is applied to the model too. */
  perform(command: Command): string | null {
    switch (command.kind) {
      case 'issue': {
        const taken = this.invoices.some(
          ({ externalId }) => externalId !== null && externalId === command.externalId,
        );
        if (taken) return 'external_id_already_used';
        this.#add({
          kind: 'original',
          simplified: command.simplified,
          total: gross(command.net),
          externalId: command.externalId,
        });
        return null;
      }
      case 'rectify':
        return this.#rectify(this.place(command.of), command);
      case 'void':
        return this.#void(this.place(command.of));
      case 'exchange':
        return this.#exchange(command.tickets.map((of) => this.place(of)));
      case 'return':
        return this.#return(this.place(command.of), command);
      case 'replace':
        return this.#replace(this.place(command.of));
      case 'amend':
        return this.#amend(this.place(command.of));
      case 'skip':
        return this.#settle(this.place(command.of), 'skipped') ? null : 'invalid_request';
      case 'settle':
        this.#settle(this.place(command.of), command.outcome);
        return null;
    }
  }

  #add(invoice: Partial<Invoice> & Pick<Invoice, 'kind' | 'simplified' | 'total'>): void {
    this.invoices.push({
      ...{ corrects: null, exchanges: [], externalId: null, voided: false, group: null, reverses: null },
      ...{ registrations: [this.#birth], cancellations: [] },
      ...invoice,
    });
  }

  /** The live invoice that corrects this one. */
  correctedBy(place: number): number | null {
    const found = this.invoices.findIndex(({ corrects, voided }) => corrects === place && !voided);
    return found === -1 ? null : found;
  }

  /** The live exchange invoice that stands for this one. */
  exchangedBy(place: number): number | null {
    const found = this.invoices.findIndex(
      ({ exchanges }, each) => exchanges.includes(place) && this.#isExchangeInForce(each),
    );
    return found === -1 ? null : found;
  }

  #isReversed(place: number): boolean {
    return this.invoices.some(({ reverses, voided }) => reverses === place && !voided);
  }

  #isExchangeInForce(place: number): boolean {
    const { voided, reverses } = this.invoices[place]!;
    return !voided && reverses === null && !this.#isReversed(place);
  }

  /** A return's rectificativa of a ticket. */
  #isReturned(place: number): boolean {
    const { group, kind } = this.invoices[place]!;
    return group !== null && kind === 'differences';
  }

  #headOf(place: number): number {
    const next = this.correctedBy(place);
    return next === null ? place : this.#headOf(next);
  }

  /** The exchange invoices in force of returns behind the documents of one. */
  #returnsOf(place: number): number[] {
    const returned = this.invoices[place]!.exchanges.flatMap((document) =>
      this.#line(this.#headOf(document)).filter((each) => this.#isReturned(each)),
    );
    return this.invoices.flatMap(({ exchanges }, each) =>
      each !== place && this.#isExchangeInForce(each) && exchanges.some((one) => returned.includes(one))
        ? [each]
        : [],
    );
  }

  #standingRefusal(place: number): string | null {
    const standing = standingOf(this.invoices[place]!.registrations);
    if (standing === 'pending') return 'invoice_pending_at_aeat';
    return standing === 'rejected' || standing === 'skipped' ? 'invoice_not_rectifiable_at_aeat' : null;
  }

  /** Why nothing is returned or replaced of an exchange invoice. */
  #saleRefusal(place: number): string | null {
    const { kind, voided, reverses, exchanges } = this.invoices[place]!;
    if (kind !== 'exchange') return 'invalid_request';
    if (voided) return 'invoice_already_voided';
    if (reverses !== null) return 'invalid_request';
    if (this.#isReversed(place)) return 'invoice_already_replaced';
    if (exchanges.some((document) => this.#isReturned(document))) return 'invalid_request';
    return this.#standingRefusal(place);
  }

  /** The document that a return names; null of what is no exchange invoice. */
  documentOf(place: number, ticket: number): number | null {
    const { exchanges } = this.invoices[place]!;
    return exchanges[ticket % exchanges.length] ?? null;
  }

  #return(place: number, { ticket, net }: Extract<Command, { kind: 'return' }>): string | null {
    const refusal = this.#saleRefusal(place);
    if (refusal !== null) return refusal;
    const head = this.#headOf(this.documentOf(place, ticket)!);
    const standing = this.#standingRefusal(head);
    if (standing !== null) return standing;
    const total = gross(net);
    if (this.balance(head) + total < 0) return 'family_balance_below_zero';
    const group = this.invoices.length;
    this.#add({ kind: 'differences', simplified: true, total, corrects: head, group });
    this.#add({ kind: 'exchange', simplified: false, total, exchanges: [group], group });
    return null;
  }

  #replace(place: number): string | null {
    const refusal = this.#saleRefusal(place);
    if (refusal !== null) return refusal;
    const returns = this.#returnsOf(place);
    for (const each of returns) {
      const standing = this.#standingRefusal(each);
      if (standing !== null) return standing;
    }
    const group = this.invoices.length;
    for (const wrong of [place, ...returns]) {
      const { total, exchanges } = this.invoices[wrong]!;
      const common = { kind: 'exchange' as const, simplified: false, exchanges, group };
      this.#add({ ...common, total: 0 - total, reverses: wrong });
      this.#add({ ...common, total });
    }
    return null;
  }

  /** The invoice and all that it corrects, the newest first. */
  #line(place: number): number[] {
    const { corrects } = this.invoices[place]!;
    return corrects === null ? [place] : [place, ...this.#line(corrects)];
  }

  /** The documents that say together what is in force, the oldest first. */
  inForce(place: number): number[] {
    const line = this.#line(place);
    const statement = line.findIndex((each) => this.invoices[each]!.kind !== 'differences');
    return line.slice(0, statement + 1).reverse();
  }

  balance(place: number): number {
    return this.inForce(place).reduce((sum, each) => sum + this.invoices[each]!.total, 0);
  }

  #position(place: number): string | null {
    if (this.#line(place).some((each) => this.exchangedBy(each) !== null)) return 'invoice_has_live_canje';
    const corrected = this.correctedBy(place);
    if (corrected === null) return null;
    return this.invoices[corrected]!.kind === 'substitution'
      ? 'invoice_already_replaced'
      : 'invoice_not_family_tip';
  }

  /** Why it cannot be rectified. */
  stateRefusal(place: number): string | null {
    const { voided, kind } = this.invoices[place]!;
    if (voided) return 'invoice_already_voided';
    if (kind === 'exchange') return 'invoice_is_canje';
    const position = this.#position(place);
    if (position !== null) return position;
    return this.#standingRefusal(place);
  }

  #rectify(place: number, { method, net, wrongType }: Extract<Command, { kind: 'rectify' }>): string | null {
    const stateRefusal = this.stateRefusal(place);
    if (stateRefusal !== null) return stateRefusal;
    const { simplified } = this.invoices[place]!;
    if (wrongType)
      return simplified ? 'upgrade_to_complete_not_allowed' : 'downgrade_to_simplified_not_allowed';
    if (method === 'substitution' && net < 0) return 'replacement_total_negative';
    if (method === 'differences' && net < 0 && this.balance(place) + gross(net) < 0)
      return 'family_balance_below_zero';
    this.#add({ kind: method, simplified, total: gross(net), corrects: place });
    return null;
  }

  #isUnderWay({ registrations, cancellations }: Invoice): boolean {
    return [...registrations, ...cancellations].includes('pending');
  }

  /** Why an invoice of a group cannot be voided, or voided again. */
  #voidRefusal(place: number, group: readonly number[]): string | null {
    const invoice = this.invoices[place]!;
    const { registrations, cancellations } = invoice;
    if (invoice.voided) {
      const isUnreported = registrations.every((standing) => standing === 'skipped');
      const last = cancellations.filter((standing) => standing !== 'skipped').at(-1);
      const isDone = isUnreported || (last !== undefined && last !== 'rejected');
      return isDone || this.#isUnderWay(invoice) ? 'invoice_already_voided' : null;
    }
    const position = this.#voidPosition(place, group);
    if (position !== null) return position;
    return this.#isUnderWay(invoice) ? 'invoice_pending_at_aeat' : null;
  }

  #voidPosition(place: number, group: readonly number[]): string | null {
    if (this.invoices[place]!.kind === 'exchange') {
      if (this.#isReversed(place)) return 'invoice_already_replaced';
      return this.#returnsOf(place).every((each) => group.includes(each)) ? null : 'invoice_not_family_tip';
    }
    if (group.length === 1) return this.#position(place);
    return this.correctedBy(place) === null ? null : 'invoice_not_family_tip';
  }

  #void(place: number): string | null {
    const named = this.invoices[place]!;
    const group =
      named.group === null
        ? [place]
        : this.invoices.flatMap((one, each) => (one.group === named.group ? [each] : []));
    const refusals = new Map(group.map((each) => [each, this.#voidRefusal(each, group)]));
    const free = group.filter((each) => refusals.get(each) === null);
    const refusal = refusals.get(place) ?? [...refusals.values()].find((one) => one !== null) ?? null;
    if (refusal !== null && !(named.voided && free.length > 0)) return refusal;
    for (const each of free) {
      const invoice = this.invoices[each]!;
      const isUnreported = invoice.registrations.every((standing) => standing === 'skipped');
      invoice.voided = true;
      invoice.cancellations.push(isUnreported ? 'skipped' : this.#birth);
    }
    return null;
  }

  #exchange(tickets: readonly number[]): string | null {
    for (const [index, place] of tickets.entries()) {
      if (tickets.indexOf(place) < index) return 'invalid_request';
      const stateRefusal = this.stateRefusal(place);
      if (stateRefusal !== null) return stateRefusal;
      if (!this.invoices[place]!.simplified) return 'invalid_request';
    }
    const total = tickets.reduce((sum, place) => sum + this.balance(place), 0);
    const exchanges = tickets.flatMap((place) => this.inForce(place));
    this.#add({ kind: 'exchange', simplified: false, total, exchanges });
    return null;
  }

  #amend(place: number): string | null {
    const invoice = this.invoices[place]!;
    if (invoice.voided) return 'invoice_already_voided';
    if (this.#isUnderWay(invoice)) return 'invoice_pending_at_aeat';
    const { registrations } = invoice;
    const isUnreported = registrations.every((standing) => standing === 'skipped');
    // Every amendment of the histories says the same: the second of what was accepted without errors would change nothing.
    const isSame = registrations.length > 1 && registrations.at(-1) === 'registered';
    if (isUnreported || isSame) return 'invoice_not_rectifiable_at_aeat';
    registrations.push(this.#birth);
    return null;
  }

  /** Whether anything was under way. */
  #settle(place: number, standing: Standing): boolean {
    const { registrations, cancellations } = this.invoices[place]!;
    for (const records of [registrations, cancellations]) {
      const pending = records.indexOf('pending');
      if (pending !== -1) {
        records[pending] = standing;
        return true;
      }
    }
    return false;
  }
}
