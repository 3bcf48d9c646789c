import { catalogue, codes } from '../../ground/errors/catalogue.ts';
import { ERRORS } from './errors-page.ts';
import type { Guide } from './guides.ts';
import { texts } from './texts.ts';

/** The documentation as Markdown, for programs: each guide beside its page, and the list of them. */

/** The pages as Markdown, by their names below the root: `polling.md`. */
export function plainPages(root: string, guides: readonly Guide[]): ReadonlyMap<string, string> {
  return new Map([
    ...guides.map((guide) => [`${guide.slug}.md`, plainGuide(root, guide)] as const),
    [`${ERRORS.slice(1)}.md`, plainErrors()],
  ]);
}

/** Links to other guides go by their files, which are these; pictures stand below the root. */
function plainGuide(root: string, { title, summary, body }: Guide): string {
  const text = body.replaceAll(/(!\[[^\]]*\]\()(?:\.\.\/)+/g, `$1${root}/pictures/`);
  return `# ${title}\n\n> ${summary}\n${text.startsWith('\n') ? '' : '\n'}${text}`;
}

function plainErrors(): string {
  const { title, summary } = texts.en.pages.errors;
  const entries = codes.map((code) => {
    const { status, meaning, remediation } = catalogue[code];
    return `## ${code}\n\nHTTP ${status}. ${meaning}\n\nWhat to do: ${remediation}\n`;
  });
  return `# ${title}\n\n> ${summary}\n\n${entries.join('\n')}`;
}

/** /llms.txt: what a language model reads first, in the form of llmstxt.org. */
export function llmsText(docs: string, base: string, guides: readonly Guide[]): string {
  const listed = guides.map(({ slug, title, summary }) => `- [${title}](${docs}/${slug}.md): ${summary}`);
  return `# Lacre

> Issues, corrects and registers invoices under Spain's VERI*FACTU regime, over REST and GraphQL. An issued invoice is a legal document: it is never edited, only corrected by a further one.

Amounts are whole cents, times are RFC 3339 in UTC, days are those of the company’s time zone (Madrid, or the Canary Islands). Keys (\`sk_test_…\`, \`sk_live_…\`) open one environment of one company. Send an \`Idempotency-Key\` with every invoice.

## Guides

${listed.join('\n')}

## Reference

- [OpenAPI document](${base}/v1/openapi.json): every endpoint, field and code of REST
- [GraphQL schema](${docs}/schema.graphql): the same and more
- [Error codes](${docs}/errors.md): what each means and what to do about it
- [Postman collection](${docs}/postman.json): every endpoint with an example
`;
}
