const ACCOUNT = ['payment_account'];
const SUMS = ['day_total'];
const LISTED = ['listed_at'];
const CORRECTED = ['corrected_invoice'];

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
  [
    'sums of a day on which nothing was issued',
    () =>
      `insert into day_total select environment_id, day - 400, series_id, kind, count, subtotal, tax, total, lines, rates
         from day_total`,
    SUMS,
  ],
  ['what a day is less by', () => 'update deducted_total set total = total + 1', SUMS],
  ['what a day is less by, that is gone', () => 'delete from deducted_total', SUMS],
  [
    'an invoice out of force that the sums of its day are not less by',
    () => 'update corrected_invoice set deducted = false',
    SUMS,
  ],
  ['the total of a day of a recipient', () => 'update recipient_total set total = total + 1', SUMS],
  [
    'the recipient of the sums of a day',
    () => "update recipient_total set recipient_tax_id = 'B00000000' where recipient_tax_id <> ''",
    SUMS,
  ],
  [
    'the tax of a day of a recipient at one rate',
    () => "update recipient_total set rates = jsonb_set(rates, '{0,amount}', '1')",
    SUMS,
  ],
  ['the sums of recipients that are gone', () => 'delete from recipient_total', SUMS],
  [
    'sums of a month in which nothing was issued',
    () =>
      `insert into recipient_month_total
         select environment_id, '2020-01-01', series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, lines, rates
           from recipient_total`,
    SUMS,
  ],
  [
    'sums of a month of all invoices in which nothing was issued',
    () =>
      `insert into month_total
         select environment_id, '2020-01-01', series_id, kind, count, subtotal, tax, total, lines, rates from day_total`,
    SUMS,
  ],
  [
    'months that count as added up, and whose days do not',
    () => "update day_total_end set months_before = '2999-01-01'",
    SUMS,
  ],
  [
    'months of recipients that count as added up, and whose days do not',
    () => "update day_total_end set recipient_months_before = '2999-01-01'",
    SUMS,
  ],
  ['a part of a day that is still to come', () => "update day_total_end set until = '2999-01-01'", SUMS],
  [
    'a part of a day of recipients that is still to come',
    () => "update day_total_end set recipients_until = '2999-01-01'",
    SUMS,
  ],
  ['the total of a day of a type', () => 'update type_total set total = total + 1', SUMS],
  [
    'the type of the sums of a day',
    () => "update type_total set type = 'simplified' where kind = 'rectifying_differences'",
    SUMS,
  ],
  ['the sums of types that are gone', () => 'delete from type_total', SUMS],
  [
    'what a day of a recipient is less by',
    () => 'update deducted_recipient_total set total = total + 1',
    SUMS,
  ],
  [
    'an invoice out of force that the sums of its recipient are not less by',
    () => 'update corrected_invoice set deducted_by_recipient = false',
    SUMS,
  ],
  [
    'days whose recipients count as added up, and whose invoices do not',
    () => "update day_total_end set recipients_before = '2999-01-01'",
    SUMS,
  ],
  ['what is paid of a day', () => 'update payment_total set paid = paid + 1', SUMS],
  ['what is due of a day', () => 'update payment_total set due = due - 1', SUMS],
  ['what is paid of a day of a recipient', () => 'update recipient_payment_total set paid = paid + 1', SUMS],
  ['the payments of recipients that are gone', () => 'delete from recipient_payment_total', SUMS],
  [
    'a payment of a recipient that nobody made',
    () =>
      `insert into recipient_payment_change (environment_id, day, series_id, kind, type, recipient_tax_id, paid, due)
         select environment_id, day - 400, series_id, kind, type, recipient_tax_id, 1, 0 from recipient_payment_total`,
    SUMS,
  ],
  ['the payments of a day that are gone', () => 'delete from payment_total', SUMS],
  [
    'a payment of a day that nobody made',
    () =>
      `insert into payment_change (environment_id, day, series_id, kind, paid, due)
         select environment_id, day - 400, series_id, kind, 1, 0 from payment_total`,
    SUMS,
  ],
  [
    'days whose payments count as added up, and whose invoices do not',
    () => "update day_total_end set payments_before = '2999-01-01'",
    SUMS,
  ],
  ['days to come that count as added up', () => "update day_total_end set before = '2999-01-01'", SUMS],
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
