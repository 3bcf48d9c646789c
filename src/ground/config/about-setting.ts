import { z } from 'zod';

/** What a person reads of a setting; what it may be and its default are read off its schema where that can say them. */
export type About = {
  readonly group:
    | 'Listening'
    | 'Database'
    | 'Processes'
    | 'Secrets'
    | 'Documents'
    | 'Tax agency'
    | 'Software'
    | 'Simulator'
    | 'Webhooks'
    | 'E-mail';
  /** Markdown, as it stands in the table of docs/guides/deployment.md. */
  readonly meaning: string;
  readonly values?: string;
  /** What holds without it, where that is no fixed value. */
  readonly otherwise?: string;
  /** Never shown to anybody; it may also be given as a file, by `<NAME>_FILE`. */
  readonly secret?: true;
};

export const about = z.registry<About>();
