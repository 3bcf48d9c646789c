import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import type { InvoiceFilter } from '../filter.ts';
import {
  type Conditions,
  conditionsOf,
  type Each,
  FOLDED_NAME,
  hasWord,
  nameHasWords,
  parameter,
  wordsOf,
} from './conditions.ts';

/**
 * Counting invoices by words of the recipient's name. The index on words collects all invoices of each word, and computes the
 * words of each name again if there are too many to be noted one by one. Words that many recipients have are therefore left to
 * a pattern, and a name that consists of such words is looked for among the next invoices of the list.
 */

/** So many invoices, from so many places of the period, show which words are frequent: about 3 ms. */
const SAMPLE = { places: 47, each: 10 };
/** A quarter of the sample. */
const FREQUENT = 118;
/** Among so many, a name that one in four has is found 10,000 times: about 40 ms. */
const LOOKED_THROUGH = 50_000;
/** Of a journal with fewer entries the index on words counts any name within 5 ms. */
const LARGE_JOURNAL = 100_000;
/** Postgres keeps 32 compiled patterns, one for each word. */
const MAX_WORDS = 16;

const sampleRow = z.object({ matching: column.whole, frequent: column.whole, rare: z.string().nullable() });
const countRow = z.object({ count: column.whole });

/** How many invoices of the environment match a filter with `recipientName`, counted up to `max`. */
export async function countByName(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  each: Each,
  max: number,
): Promise<number> {
  const { recipientName, issuedFrom, issuedBefore, ...others } = filter;
  const period = { issuedFrom, issuedBefore };
  const count = async ({ texts, values }: Conditions, from = 'invoice'): Promise<number> => {
    const text = `select count(*)::int as count from (
      select from ${from} where ${texts.join(' and ')} limit $${values.length + 1}) as found`;
    return (await readOneRow(client, countRow, text, [...values, max])).count;
  };
  const byIndex = () => count(conditionsOf(environmentId, filter, each));
  /** Each statement has its own, because Postgres refuses parameters that are not used. */
  const patterned = () => {
    const conditions = conditionsOf(environmentId, { ...period, ...others }, each);
    const name = `${parameter(conditions, recipientName)}::text`;
    conditions.texts.push(nameHasWords(name));
    const of = (further: InvoiceFilter) => conditionsOf(environmentId, further, {}, conditions.values).texts;
    return { conditions, name, of };
  };
  if (!isShort(recipientName)) return byIndex();

  const { matching, frequent, rare } = await sampleOf(client, patterned(), period);
  if (frequent === 0) return byIndex();
  if (rare !== null) {
    const { conditions, of } = patterned();
    conditions.texts.push(...of({ recipientName: rare }));
    return count(conditions);
  }
  if (matching >= FREQUENT) {
    const { conditions, of } = patterned();
    const next = `select * from invoice where ${of(period).join(' and ')}
      order by issued_at desc, id desc limit ${LOOKED_THROUGH}`;
    const found = await count(conditions, `(${next}) as invoice`);
    if (found === max) return found;
  }
  // No index finds fewer than the other conditions do, if there are any.
  const isOnlyName = Object.values({ ...period, ...others }).every((value) => value === undefined);
  return isOnlyName ? byIndex() : count(patterned().conditions);
}

type Patterned = {
  readonly conditions: Conditions;
  readonly name: string;
  readonly of: (filter: InvoiceFilter) => string[];
};

/** How many of a sample match, how many words are frequent in it, and the other words; nothing of a small environment. */
function sampleOf(client: Queryable, { conditions, name, of }: Patterned, period: InvoiceFilter) {
  const among = of(period).join(' and ');
  const end = (direction: string) =>
    `(select issued_at from invoice where ${among} order by issued_at ${direction} limit 1)`;
  const text = `with sample as materialized (
    select ${FOLDED_NAME} as name, ${conditions.texts.join(' and ')} as matches
      from (select ${end('asc')} as first, ${end('desc')} as last from journal_head
             where environment_id = $1 and position > ${LARGE_JOURNAL}) as period
     cross join generate_series(0, ${SAMPLE.places - 1}) as place
     cross join lateral (
       select * from invoice where ${among} and issued_at >= first + (last - first) * place / ${SAMPLE.places}
        order by issued_at, id limit ${SAMPLE.each}) as invoice
  ), words as materialized (
    select word, (select count(*) from sample where ${hasWord('name', 'word')}) >= ${FREQUENT} as frequent
      from ${wordsOf(name)}
  )
  select (select count(*)::int from sample where matches) as matching,
         count(*) filter (where frequent)::int as frequent,
         string_agg(word, ' ') filter (where not frequent) as rare from words`;
  return readOneRow(client, sampleRow, text, conditions.values);
}

function isShort(name = ''): boolean {
  // Never fewer than the words of `wordsOf`, which are separated by fewer characters.
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => word !== '').length <= MAX_WORDS;
}
