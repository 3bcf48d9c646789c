-- compatible
-- Sums of days in the order of recipients, those without one last: a page of groups by recipient need not read the sums of all the others.
-- Totals sort by this expression (subjects/invoices/store/total-groups.ts). The columns of filters follow, so that rows that do not match
-- are passed over in the index.
CREATE INDEX day_total_by_recipient ON day_total
  (environment_id, (coalesce(nullif(recipient_tax_id, ''), U&'\+10FFFF') COLLATE "C"), day, series_id, kind, type)
  WHERE of_recipient;
