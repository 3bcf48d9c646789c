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
      ...{ corrects: null, exchanges: [], externalId: null, voided: false },
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
    const found = this.invoices.findIndex(({ exchanges, voided }) => exchanges.includes(place) && !voided);
    return found === -1 ? null : found;
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
    const { voided, kind, registrations } = this.invoices[place]!;
    if (voided) return 'invoice_already_voided';
    if (kind === 'exchange') return 'invoice_is_canje';
    const position = this.#position(place);
    if (position !== null) return position;
    const standing = standingOf(registrations);
    if (standing === 'pending') return 'invoice_pending_at_aeat';
    return standing === 'rejected' || standing === 'skipped' ? 'invoice_not_rectifiable_at_aeat' : null;
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

  #void(place: number): string | null {
    const invoice = this.invoices[place]!;
    const { registrations, cancellations } = invoice;
    const isUnreported = registrations.every((standing) => standing === 'skipped');
    if (invoice.voided) {
      const last = cancellations.filter((standing) => standing !== 'skipped').at(-1);
      const isDone = isUnreported || (last !== undefined && last !== 'rejected');
      if (isDone || this.#isUnderWay(invoice)) return 'invoice_already_voided';
    } else {
      const position = this.#position(place);
      if (position !== null) return position;
      if (this.#isUnderWay(invoice)) return 'invoice_pending_at_aeat';
    }
    invoice.voided = true;
    cancellations.push(isUnreported ? 'skipped' : this.#birth);
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
