import type { Invoice } from '@lacre/client';
import { z } from 'zod';
import { catalogue, codes } from '../../../ground/errors/catalogue.ts';
import { recordRemediation } from '../../console/remediation.ts';
import { readGuides } from '../../docs/guides.ts';
import { id } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

/** What each state of a registration means; the guide on polling says the same. */
const STATES: Readonly<Record<string, string>> = {
  pending:
    'It waits for the tax agency. It is sent by itself, also after the agency was down; look again later.',
  registered: 'The tax agency holds it. Nothing is to be done.',
  registered_with_errors: 'The tax agency holds it and has flagged something: see explain_rejection.',
  rejected: 'The tax agency does not hold it. The invoice exists all the same: see explain_rejection.',
  skipped: 'An operator decided that it is never sent.',
};

function stateOf({ id: invoiceId, number, verifactu }: Invoice): object {
  if (verifactu === null)
    return { id: invoiceId, number, state: null, meaning: 'Imported: never registered here.' };
  const { status, error, qr_url } = verifactu;
  const meaning = STATES[status] ?? 'A state that is not known here: treat it like pending.';
  return { id: invoiceId, number, state: status, meaning, error, qr_url };
}

const LONGEST_WAIT_SECONDS = 50;

export const EXPLAINING: readonly Tool[] = [
  tool({
    name: 'registration_state',
    title: 'How the tax agency has it',
    description:
      'Says whether the tax agency has registered an invoice, and what that means. With wait_seconds it waits for the answer as long as that.',
    input: { id, wait_seconds: z.int().min(0).max(LONGEST_WAIT_SECONDS).default(0) },
    async run({ client: { invoices } }, { id: invoiceId, wait_seconds: seconds }) {
      if (seconds === 0) return stateOf(await invoices.retrieve(invoiceId));
      const signal = AbortSignal.timeout(seconds * 1_000);
      const settled = await invoices.untilSettled(invoiceId, { signal }).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      return stateOf(settled ?? (await invoices.retrieve(invoiceId)));
    },
  }),
  tool({
    name: 'explain_rejection',
    title: 'Why it was rejected',
    description:
      'Explains why the tax agency has rejected or flagged an invoice, in its own words, and what an operator of the service does about it.',
    input: { id },
    async run({ client }, given) {
      const invoice = await client.invoices.retrieve(given.id);
      const { status, error } = invoice.verifactu ?? { status: 'registered', error: null };
      if (status !== 'rejected' && status !== 'registered_with_errors') return stateOf(invoice);
      const { text, steps } = recordRemediation(status, error?.code ?? null);
      return { ...stateOf(invoice), what_to_do: text, steps };
    },
  }),
  tool({
    name: 'explain_error_code',
    title: 'What an error code means',
    description:
      'Explains a code of a refusal (such as invalid_tax_id): what it means and what to do about it.',
    input: { code: z.enum(codes) },
    async run(_context, { code }) {
      const { status, meaning, remediation } = catalogue[code];
      return { code, http_status: status, meaning, what_to_do: remediation };
    },
  }),
  tool({
    name: 'search_guides',
    title: 'Search the documentation',
    description: 'Finds the sections of the guides in which all words stand. Read one with read_guide.',
    input: { words: z.string().min(2) },
    async run(_context, { words }) {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const sections = readGuides().flatMap(({ slug, title, body }) =>
        body
          .split(/^(?=## )/m)
          .filter((text) => wanted.every((word) => `${title} ${text}`.toLowerCase().includes(word)))
          .map((text) => ({ guide: slug, section: /^## (.*)/.exec(text)?.[1] ?? title })),
      );
      return { found: sections.slice(0, 20) };
    },
  }),
  tool({
    name: 'read_guide',
    title: 'Read a guide',
    description:
      'A guide of the documentation as Markdown, or one section of it, as search_guides names them.',
    input: { guide: z.string(), section: z.string().optional() },
    async run(_context, { guide, section }) {
      const found = readGuides().find(({ slug }) => slug === guide);
      if (found === undefined) return { found: false, guides: readGuides().map(({ slug }) => slug) };
      const text =
        section && found.body.split(/^(?=## )/m).find((part) => part.startsWith(`## ${section}\n`));
      return { title: found.title, text: text || found.body };
    },
  }),
];
