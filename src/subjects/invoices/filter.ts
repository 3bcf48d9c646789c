/**
 * What a list of invoices may be narrowed to. Texts are compared exactly; number and email in any case. `text` is looked
 * for, in any case, within number, order and the lines' descriptions.
 */
export type InvoiceFilter = {
  readonly integrationId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  readonly email?: string | undefined;
  readonly number?: string | undefined;
  readonly issuedFrom?: Date | undefined;
  readonly issuedBefore?: Date | undefined;
  readonly kind?: string | undefined;
  readonly type?: string | undefined;
  readonly registrationStatus?: string | undefined;
  readonly status?: 'issued' | 'voided' | undefined;
  readonly text?: string | undefined;
};
