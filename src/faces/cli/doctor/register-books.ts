import type { Db } from '../../../ground/db/client.ts';
import { environmentsWithMany } from '../../../subjects/invoices/store/read-register.ts';
import { BOOK_LIMITS } from '../../../subjects/register-books/limits.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Whether a year's register book of any company may not be finished in the time that a book has. */
export async function registerBooks({ pool }: Db): Promise<Finding[]> {
  const max = BOOK_LIMITS.bookLong.value;
  const minutes = BOOK_LIMITS.bookTime.value / 60_000;
  const many = await environmentsWithMany(pool, max);
  if (many.length === 0)
    return [
      ok('register books', `no environment issued more than ${max.toLocaleString('en')} invoices in a year`),
    ];
  return many.map(({ companyId, legalName, environment, invoices }) =>
    warning(
      'register books',
      `${legalName} (${companyId}, ${environment}) issued ${invoices.toLocaleString('en')} invoices in a year: a register book of them may take longer than the allowed ${minutes} minutes`,
      'export a book for each quarter or month',
    ),
  );
}
