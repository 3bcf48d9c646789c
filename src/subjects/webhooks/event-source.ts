/** An event as it is sent: its REST form, written once for all endpoints. */
export type EventToSend = {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  /** What has changed: of `ping` and `webhook_endpoint.disabled` the endpoint. */
  readonly subjectId: string;
  readonly body: string;
};

/** Where events come from: the journal's public reading. */
export type EventSource = {
  /** At most `most` events behind a sequence, in their order; of types that are not wanted the body is not made. */
  after(
    environmentId: number,
    sequence: number,
    wanted: { readonly types: readonly string[]; readonly most: number },
  ): Promise<{ readonly events: readonly EventToSend[]; readonly reached: number; readonly full: boolean }>;
  /** Those of the sequences that are still kept. */
  those(environmentId: number, sequences: readonly number[]): Promise<readonly EventToSend[]>;
};
