/** A message as it is handed over. */
export type Outgoing = {
  readonly id: string;
  /** The return path. */
  readonly from: string;
  /** Addresses in ASCII. */
  readonly to: readonly string[];
  /** What reports on it are to name (RFC 3461, section 4.4); null: nothing. */
  readonly envelopeId: string | null;
  /** RFC 5322, lines ended by CR LF. */
  readonly bytes: Buffer;
  /** The parts that it was made of, for whoever shows it without reading it again. */
  readonly parts: MessageParts;
};

export type MessageParts = {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
};

export type Attachment = { readonly filename: string; readonly mediaType: string; readonly bytes: Buffer };

/**
 * What a mail server made of one recipient: it has answered for the message (`sent`), it never takes it (`refused`), or it
 * may be asked again (`queued`).
 */
export type Reply = {
  readonly address: string;
  readonly status: 'sent' | 'refused' | 'queued';
  readonly response: string | null;
};

/** What an attempt came to. `error`: why nobody knows more, in words without secrets and addresses. */
export type HandedOver = { readonly replies: readonly Reply[]; readonly error: string | null };

export type MailTransport = {
  /**
   * Hands a message over. `begin` is asked once everything is ready, right before the first word about the message: when
   * it says false nothing is handed over, and the answer is null. Never throws what a server or a network does.
   */
  handOver(message: Outgoing, begin: () => Promise<boolean>): Promise<HandedOver | null>;
  /** Whether the server can be reached and lets us in; null, or why not. */
  check(): Promise<string | null>;
};
