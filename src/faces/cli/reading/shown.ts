import type { ReadDocument, ReadFile } from '@lacre/reader/read-file';

/** A document that was read, with what it was held against. */
export type ShownDocument = Omit<ReadDocument, 'xml'> & {
  /** `own checks`, and with `--schemas` `schema` and `rules of EN 16931`. */
  readonly checkedBy: readonly string[];
};

export type ShownFile = Pick<ReadFile, 'unread'> & {
  readonly file: string;
  readonly documents: readonly ShownDocument[];
};
