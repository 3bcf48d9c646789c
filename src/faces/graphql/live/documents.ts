import { type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { invalidField, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';

/** The query of a subscription as it is kept: without the places in its text, which take most of the memory. */
export type StoredSubscription = {
  readonly id: number;
  readonly document: DocumentNode;
  /** The variable with the position to resume from: subscribers that differ only in it share their payloads. */
  readonly resumesBy: string | null;
};

type Entry = StoredSubscription & { readonly text: string; readonly users: Map<number | string, number> };

/** The queries of all subscriptions of a process, each once for all who use it; bounded, by owner and together. */
export class SubscriptionDocuments {
  readonly #byText = new Map<string, Entry>();
  readonly #ofOwner = new Map<number | string, number>();
  #made = 0;

  /** Keeps a query for one more subscription, until `release`. Refuses what is too long, and more than may be kept. */
  keep(
    document: DocumentNode,
    owner: number | string,
  ): Outcome<{ readonly kept: StoredSubscription; release(): void }> {
    if (tokensOf(document) > GRAPHQL_LIMITS.subscriptionTokens.value) {
      const detail = `must have at most ${GRAPHQL_LIMITS.subscriptionTokens.value} tokens for a subscription`;
      return invalidField('query', 'too_big', detail);
    }
    const text = print(document);
    const known = this.#byText.get(text);
    const isOwn = known?.users.has(owner) === true;
    const own = this.#ofOwner.get(owner) ?? 0;
    if (!isOwn && own >= GRAPHQL_LIMITS.subscriptionDocumentsOfOwner.value) {
      const detail = `There are subscriptions with ${own} different queries already: use variables.`;
      return new Refusal('rate_limited', detail, { retryAfter: 60 });
    }
    if (known === undefined && this.#byText.size >= GRAPHQL_LIMITS.subscriptionDocuments.value) {
      return new Refusal('service_unavailable', 'The process serves too many different subscriptions.');
    }
    const entry = known ?? this.#make(text);
    if (!isOwn) this.#ofOwner.set(owner, own + 1);
    entry.users.set(owner, (entry.users.get(owner) ?? 0) + 1);
    let released = false;
    return {
      kept: entry,
      release: () => {
        if (!released) this.#release(entry, owner);
        released = true;
      },
    };
  }

  #make(text: string): Entry {
    const document = parse(text, { noLocation: true });
    this.#made += 1;
    const entry = { id: this.#made, text, document, resumesBy: resumeVariable(document), users: new Map() };
    this.#byText.set(text, entry);
    return entry;
  }

  #release(entry: Entry, owner: number | string): void {
    if (decrease(entry.users, owner)) decrease(this.#ofOwner, owner);
    if (entry.users.size === 0) this.#byText.delete(entry.text);
  }
}

/** Whether there is none left. */
function decrease(counts: Map<number | string, number>, key: number | string): boolean {
  const left = (counts.get(key) ?? 1) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
  return left <= 0;
}

function tokensOf(document: DocumentNode): number {
  let tokens = 0;
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return tokens;
}

function resumeVariable(document: DocumentNode): string | null {
  const uses = new Map<string, number>();
  let name: string | null = null;
  visit(document, {
    Variable: (node) => {
      uses.set(node.name.value, (uses.get(node.name.value) ?? 0) + 1);
    },
    Argument: (node) => {
      if (node.name.value === 'afterSequence' && node.value.kind === Kind.VARIABLE)
        name = node.value.name.value;
    },
  });
  // Once where it is declared and once where it is used.
  return name !== null && uses.get(name) === 2 ? name : null;
}
