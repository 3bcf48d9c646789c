const ACCOUNT = ['payment_account'];
const SUMS = ['day_total'];
const LISTED = ['listed_at'];
const CORRECTED = ['corrected_invoice'];
const TEXTS = ['invoice_text'];
const OTHER_DAYS = 'insert into day_total select environment_id, of_recipient,';
const SUMS_OF_DAYS = `series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, paid, due, lines, rates
  from day_total`;

/** Changes of what is derived of sealed rows: what was done to which invoices, and what must be found. */
export const DERIVED: readonly [
  what: string,
  statement: (ids: { amended: string }) => string,
  found: string[],
][] = [
  ['what was paid of an invoice', () => 'update payment_account set paid = paid + 1 where paid > 0', ACCOUNT],
  ['what is to be paid of an invoice', () => 'update payment_account set payable = 0', ACCOUNT],
  [
    'by when an invoice is to be paid, in its account',
    () => "update payment_account set due_on = '2027-01-01'",
    ACCOUNT,
  ],
  ['an account of payments that is gone', () => 'delete from payment_account where paid > 0', ACCOUNT],
  [
    'an account, with the function that makes accounts',
    () => `
      create or replace function payment_account_of(environment integer, root text)
        returns table (holder_id text, payable bigint, paid bigint, due_on date) language sql stable as
        $$ select root, 0::bigint, 0::bigint, null::date $$;
      update payment_account set holder_id = root_id, payable = 0, paid = 0, due_on = null`,
    ACCOUNT,
  ],
  [
    'the place of an account in lists by payment status',
    () => "update payment_account set listed_at = listed_at - interval '1 day' where paid > 0",
    ACCOUNT,
  ],
  ['the total of a day', () => 'update day_total set total = total + 1', SUMS],
  ['how many invoices a day had', () => 'update day_total set count = count - 1', SUMS],
  [
    'the amounts of a day at one rate of its lines',
    () => "update day_total set lines = jsonb_set(lines, '{0,total}', '1')",
    SUMS,
  ],
  [
    'the tax of a day at one rate',
    () => "update day_total set rates = jsonb_set(rates, '{0,amount}', '1')",
    SUMS,
  ],
  ['the rates of a day that are gone', () => "update day_total set rates = '{}'", SUMS],
  ['the sums of a day that are gone', () => "delete from day_total where kind = 'exchange'", SUMS],
  ['sums of a day on which nothing was issued', () => `${OTHER_DAYS} day - 400, ${SUMS_OF_DAYS}`, SUMS],
  [
    'the total of a day of a recipient',
    () => 'update day_total set total = total + 1 where of_recipient',
    SUMS,
  ],
  [
    'the recipient of the sums of a day',
    () => "update day_total set recipient_tax_id = 'B00000000' where recipient_tax_id <> ''",
    SUMS,
  ],
  ['the sums of recipients that are gone', () => 'delete from day_total where of_recipient', SUMS],
  [
    'the type of the sums of a day',
    () => "update day_total set type = 'simplified' where kind = 'rectifying_differences'",
    SUMS,
  ],
  ['what is paid of a day', () => 'update day_total set paid = paid + 1', SUMS],
  ['what is due of a day', () => 'update day_total set due = due - 1', SUMS],
  ['days to come that count as added up', () => `${OTHER_DAYS} day + 400, ${SUMS_OF_DAYS}`, SUMS],
  [
    'a voided invoice that lists and totals take for one in force',
    () => 'delete from corrected_invoice',
    CORRECTED,
  ],
  [
    'the place of a voided invoice in the list of those out of force',
    () => "update corrected_invoice set listed_at = listed_at - interval '1 day'",
    CORRECTED,
  ],
  [
    'an invoice that was never corrected, among those that were',
    () =>
      `insert into corrected_invoice select environment_id, id, issued_at, type, kind, false from invoice on conflict do nothing`,
    CORRECTED,
  ],
  [
    'the type under which lists show a voided invoice',
    () =>
      "update corrected_invoice set type = case type when 'complete' then 'simplified' else 'complete' end::invoice_type",
    CORRECTED,
  ],
  ['the kind under which lists show it', () => "update corrected_invoice set kind = 'exchange'", CORRECTED],
  [
    'a voided invoice that is out of force in lists, but not voided',
    () => 'update corrected_invoice set voided = not voided',
    CORRECTED,
  ],
  ['a text by which lists find its invoice', () => 'delete from invoice_text', TEXTS],
  ['another text', () => "update invoice_text set content = content || 'x'", TEXTS],
  ['a tax id by which lists find its invoice', () => "update invoice_text set tax_id = 'B00000000'", TEXTS],
  ['a name by which lists find its invoices', () => 'delete from recipient_name', ['recipient_name']],
  [
    'the place of a record in lists by registration status',
    () => "update record_state set listed_at = listed_at - interval '1 day' where status <> 'registered'",
    LISTED,
  ],
  [
    'a record that lists by registration status leave out',
    () => "update record_state set listed_at = null where status <> 'registered'",
    LISTED,
  ],
  [
    'a record that lists by registration status show although it was amended',
    ({ amended }) => `update record_state set listed_at = now() where listed_at is null and record_id in
             (select id from registration_record where invoice_id = '${amended}')`,
    LISTED,
  ],
];

/** Parts that the invoice does not have. */
export const PUT_IN = [
  'qualified_simplified = true',
  'recipient_unidentified = true',
  "issued_by = 'recipient'",
  `third_party = '{"name": "x"}'`,
  "recipient_given_name = 'Eva'",
  "recipient_surnames = 'Ruiz'",
];
