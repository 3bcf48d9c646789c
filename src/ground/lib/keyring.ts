import { createHmac } from 'node:crypto';

/**
 * The secrets of a setting that lists several. All of them open what was made before; what is made now uses the first that every
 * live process knows, so that a secret can be added, and another one dropped, in one process after the other.
 */
export class Keyring<Secret> {
  /** In the order of the setting; at least one. */
  readonly all: readonly Secret[];
  /** What is announced of its secrets, in the same order, from which they cannot be found out. */
  readonly marks: readonly string[];
  readonly #shared: SharedSecrets;

  /** Throws without a secret. */
  constructor(
    all: readonly Secret[],
    markOf: (secret: Secret) => string,
    shared: SharedSecrets = { sharedSecrets: new Set() },
  ) {
    if (all.length === 0) throw new Error('a keyring without a secret');
    this.all = all;
    // Every link that is signed asks for the current secret, and a mark takes longer than the signature.
    this.marks = all.map((secret) => markOf(secret));
    this.#shared = shared;
  }

  /** The secret with which something new is made. If there is none that all know, nothing but the order of the setting decides. */
  get current(): Secret {
    for (const [place, mark] of this.marks.entries())
      if (this.#shared.sharedSecrets.has(mark)) return this.all[place]!;
    return this.all[0]!;
  }
}

/** The marks of the secrets that every live process has announced. */
export type SharedSecrets = { readonly sharedSecrets: ReadonlySet<string> };

/** Four bytes tell the secrets of an installation apart, and say nothing about them that would help to guess one. */
const MARK_CHARACTERS = 8;

/** The mark of a secret among those of its purpose. */
export function markOf(purpose: string, secret: Buffer): string {
  const digest = createHmac('sha256', secret).update(`mark: ${purpose}`).digest('hex');
  return `${purpose}:${digest.slice(0, MARK_CHARACTERS)}`;
}

/** The result of the first secret under which a link is not `altered`. */
export function openWithAny<Opened>(
  { all }: Pick<Keyring<Buffer>, 'all'>,
  open: (secret: Buffer) => Opened | 'altered',
): Opened | 'altered' {
  for (const secret of all) {
    const opened = open(secret);
    if (opened !== 'altered') return opened;
  }
  return 'altered';
}

/** The secrets of `LINK_SECRETS`; `shared`: what the live processes have announced. */
export function linkSecrets(secrets: readonly Buffer[], shared?: SharedSecrets): LinkSecrets {
  return new Keyring(secrets, (secret) => markOf('link', secret), shared);
}

/** Sign links and access tokens. */
export type LinkSecrets = Keyring<Buffer>;
