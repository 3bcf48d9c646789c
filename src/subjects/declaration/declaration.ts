/** A declaration as first published with a version. */
export type Declaration = {
  readonly version: string;
  readonly sha256: string;
  readonly text: string;
  readonly firstRunAt: Date;
};
