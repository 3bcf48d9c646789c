import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { html } from '../../web/html.ts';
import { badge, section, table } from '../components.ts';
import {
  FAILED_FIELDS,
  failedArticle,
  failedArticles,
  PARKED_FIELDS,
  parkedArticles,
  READ,
} from '../failures.ts';
import { age, number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { nodesOf, stored } from '../query.ts';
import { said, say } from '../words.ts';

type Cause = {
  readonly kind: string;
  readonly cause: string;
  readonly count: number;
  readonly newestAt: string | null;
};

const QUERY = stored(`query ConsoleFailures {
  operations {
    failures { kind cause count newestAt }
    failedRecordList(first: ${READ}) { edges { node { ${FAILED_FIELDS} } } }
    parkedRecordList(first: ${READ}) { edges { node { ${PARKED_FIELDS} } } }
  }
}`);

/** All that the agency refused or flagged and nothing has mended, and all that was taken out of the way. */
export async function failures(context: OperatorContext): Promise<Outcome<PageContent>> {
  const found = await QUERY(context);
  if (isRefusal(found)) return found;
  const { failures: causes, failedRecordList, parkedRecordList } = found.operations;
  const [failedRecords, parkedRecords] = [nodesOf(failedRecordList), nodesOf(parkedRecordList)];
  const { root } = context;
  const code = context.query('code');
  const failed = failedRecords.filter((record) => code === '' || (record.code ?? 'none') === code);
  const body = html`<h1>${say('Failures')}</h1>
<p class="lead">${say('Records that the agency refused or flagged and that have not been corrected since, and parked records.')}</p>
${section('By cause', causeTable(root, causes), 'causes')}
${parkedRecords.length > 0 && section('Parked|records', html`${parkedArticles(root, parkedRecords)}`, 'parked')}
${section(
  code === '' ? 'Refused or flagged' : said('Refused or flagged with {code}', { code }),
  html`${code !== '' && html`<p><a href="${root}/failures">${say('All codes')}</a></p>`}${
    failed.length === 0
      ? html`<p class="card empty">${say('None.')}</p>`
      : code === ''
        ? failedArticles(root, failed)
        : failed.map((record) => failedArticle(root, record))
  }${failedRecords.length === READ && html`<p class="hint">${say('The newest {count}.', { count: number(READ) })}</p>`}`,
  'failed',
)}`;
  return { title: 'Failures', body };
}

function causeTable(root: string, causes: readonly Cause[]) {
  return table(
    'By cause',
    [
      {
        head: 'Code',
        cell: ({ kind, cause }) =>
          kind === 'stopped' ? cause : html`<a href="${root}/failures?code=${cause}">${cause}</a>`,
      },
      {
        head: 'State',
        cell: ({ kind }) => (kind === 'stopped' ? badge('stopped', 'Chain stopped') : badge(kind)),
      },
      { head: 'Records', kind: 'amount', cell: ({ count }) => number(count) },
      {
        head: 'Newest',
        kind: 'amount',
        cell: ({ newestAt }) => (newestAt === null ? '—' : say('{time} ago', { time: age(newestAt) })),
      },
    ],
    causes,
    'No refused records.',
  );
}
