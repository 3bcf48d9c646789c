import type { Attacker } from './attacker.ts';

/** What an attacker knows of the service that it attacks. */
export type Target = {
  readonly port: number;
  /** A merchant's key in force; the merchant has large invoices. */
  readonly key: string;
  /** A key of the same merchant's test environment. */
  readonly testKey: string;
  /** Keys of further merchants that the attacker has. */
  readonly furtherKeys: readonly string[];
  readonly operatorKey: string;
  /** An invoice of 500 lines that the key may read, and the token of the link to its document. */
  readonly file: { readonly id: string; readonly token: string };
};

/** How much of an attack is run. */
export type Extent = {
  /** Of its connections and requests; 1 is all of them. */
  readonly part: number;
  /** Rounds are begun until so much time is over. */
  readonly seconds: number;
  /** For how long connections are held that are not read or not used. */
  readonly holdSeconds: number;
};

/** What the attacker got, by status; otherwise by what became of the connection. */
export type Outcomes = Record<string, number>;

export type Attack = {
  readonly name: string;
  /** What it does, for the table. */
  readonly what: string;
  /** One round: bounded in requests and connections. */
  round(attacker: Attacker): Promise<void>;
  /** Outcomes that show that the attack was served. */
  readonly never?: readonly string[];
  /** Outcomes of which a whole round must show one or more. */
  readonly refusedBy?: readonly string[];
  /** What stands in the agency's place. */
  readonly agency?: 'nested answers';
};
