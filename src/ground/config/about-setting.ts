import { z } from 'zod';

/** The documentation of a setting; permitted values and default are derived from its schema where possible. */
export type SettingDefinition = {
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
    | 'E-mail'
    | 'Operators';
  /** Markdown, as shown in the table of docs/guides/deployment.md. */
  readonly meaning: string;
  readonly values?: string;
  /** What applies if it is not set, where that is not a fixed value. */
  readonly otherwise?: string;
  /** Never displayed; it may also be read from a file, named by `<NAME>_FILE`. */
  readonly secret?: true;
};

export const about = z.registry<SettingDefinition>();
