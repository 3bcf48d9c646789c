/** An event as it is sent: its REST form, built once for all endpoints. */
export type EventToSend = {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  /** The changed resource: for `ping` and `webhook_endpoint.disabled` the endpoint. */
  readonly subjectId: string;
  /** JSON in UTF-8: the same bytes are signed and sent for every endpoint. */
  readonly body: Buffer;
};

/** The source of events: the public reader of the journal. */
export type EventSource = {
  /**
   * At most `max` events after a sequence, in order, and fewer if their invoices are long; for other types than the given
   * ones the body is not built. `full`: more may follow.
   */
  after(
    environmentId: number,
    sequence: number,
    options: { readonly types: readonly string[]; readonly max: number },
  ): Promise<{ readonly events: readonly EventToSend[]; readonly reached: number; readonly full: boolean }>;
  /** The readable ones at these sequences, the first ones first; `later`: readable, but too long to be built with them. */
  bySequences(
    environmentId: number,
    sequences: readonly number[],
  ): Promise<{ readonly events: readonly EventToSend[]; readonly later: readonly number[] }>;
};
