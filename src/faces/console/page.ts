import type { Outcome } from '../../ground/errors/refusal.ts';
import type { Content } from '../web/html.ts';
import type { Form, Query } from '../web/request.ts';
import type { QueryContext } from './query.ts';
import type { Label } from './words.ts';

/** A request of an operator who is in. */
export type OperatorContext = QueryContext & {
  /** The path that all of the console's addresses begin with. */
  readonly root: string;
  /** The parameters in the page's path; empty when there is none of that name. */
  readonly param: (name: string) => string;
  readonly query: Query;
};

/** Whose billing is on screen (Orden HAC/1177/2024 art. 2: it must be clear when there are several). */
export type CompanyScope = {
  readonly companyId: string;
  readonly legalName: string;
  readonly nif?: string | undefined;
  readonly environment?: 'test' | 'live' | undefined;
};

/** What a page shows below the frame that is the same for all. */
export type PageContent = {
  readonly title: Label;
  readonly body: Content;
  readonly companyScope?: CompanyScope | undefined;
  /** Whether it follows the environment that it shows. */
  readonly live?: boolean;
  /** Whether it shows a page of the console in a frame. */
  readonly frames?: boolean;
};

/** A page: reads, and shows. A refusal becomes a page that states it. */
export type Page = (context: OperatorContext) => Promise<Outcome<PageContent>>;

/** The fields of an action, in addition to the reason that every action requires. */
export type ActionField = {
  readonly name: string;
  readonly label: Label;
  readonly hint?: Label;
  /** The initial value. */
  readonly value?: string;
  readonly max?: number;
  readonly optional?: boolean;
  /** What was written in a `password` or chosen in a `file` is never shown again. A file comes in base64. */
  readonly kind?: 'line' | 'text' | 'tick' | 'password' | 'file';
  /** Of a file: the types that are offered. */
  readonly accept?: string;
  readonly choices?: readonly (readonly [value: string, name: Label])[];
  readonly width?: 'half' | 'short' | 'long';
};

/** The step between wanting and doing: what is about to happen, to what, and why. */
export type Confirmation = {
  readonly title: Label;
  readonly companyScope?: CompanyScope | undefined;
  /** What will happen, in words. */
  readonly lead: Label;
  /** What it happens to. */
  readonly subject?: Content;
  readonly fields?: readonly ActionField[];
  /** The label of the button. */
  readonly submit: Label;
  /** Whether it cannot be taken back. */
  readonly irreversible?: boolean;
  /** Where leaving it undone leads, and doing it, unless that gives another place. Below the root. */
  readonly back: string;
};

/** What was done, for the line above the next page; or a page that is shown here and never again. */
export type ActionResult = { readonly flash: Label; readonly to?: string } | { readonly page: PageContent };

/**
 * An action: shown by GET with a form, done by POST. What it does goes through GraphQL as the operator, with the reason,
 * which reaches the audit log there. `entries` are the fields of the form, trimmed; a refusal is shown over the form.
 */
export type Action = {
  readonly prepare: (context: OperatorContext) => Promise<Outcome<Confirmation>>;
  readonly perform: (context: OperatorContext, entries: Entries) => Promise<Outcome<ActionResult>>;
};

/** The value of a field, empty when it was not sent. */
export type Entries = (name: string) => string;

export function entriesOf(form: Form): Entries {
  return (name) => form.get(name)?.trim() ?? '';
}
