/** A message for the mail server. */
export type OutgoingMessage = {
  readonly id: string;
  /** The return path. */
  readonly from: string;
  /** Addresses in ASCII. */
  readonly to: readonly string[];
  /** The envelope id that reports contain (RFC 3461, section 4.4); null for none. */
  readonly envelopeId: string | null;
  /** RFC 5322, lines ended by CR LF. */
  readonly bytes: Buffer;
  /** The parts that it was composed of, for display without parsing it again. */
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
 * A mail server's result for one recipient: it has accepted the message (`sent`), rejects it permanently
 * (`refused`), or may be tried again (`queued`).
 */
export type Reply = {
  readonly address: string;
  readonly status: 'sent' | 'refused' | 'queued';
  readonly response: string | null;
};

/** The result of an attempt. `error`: why the outcome is unknown or failed, without secrets and addresses. */
export type SendResult = { readonly replies: readonly Reply[]; readonly error: string | null };

export type MailTransport = {
  /**
   * Sends a message. `begin` is called when everything is ready, before the first data of the message: if it
   * returns false nothing is sent, and the result is null. Never throws for failures of the server or the network.
   */
  handOver(message: OutgoingMessage, begin: () => Promise<boolean>): Promise<SendResult | null>;
  /** Whether the server can be reached and accepts the credentials; null, or why not. */
  check(): Promise<string | null>;
};
