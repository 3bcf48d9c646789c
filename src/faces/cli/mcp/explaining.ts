import type { Invoice } from '@lacre/client';
import { z } from 'zod';
import { catalogue, codes } from '../../../ground/errors/catalogue.ts';
import { recordRemediation } from '../../console/remediation.ts';
import { readGuides } from '../../docs/guides.ts';
import { id } from './shapes.ts';
import { type Tool, tool } from './tool.ts';

/** What each state of a registration means; the guide on polling has the same. */
const STATES: Readonly<Record<string, string>> = {
  pending:
    'It is waiting for the tax agency. It is sent automatically, even if the agency is temporarily unavailable; check again later.',
  registered: 'The tax agency holds it. Nothing needs to be done.',
  registered_with_errors: 'The tax agency holds it, with errors: see explain_rejection.',
  rejected: 'The tax agency does not hold it. The invoice exists nevertheless: see explain_rejection.',
  skipped: 'An operator decided that it is never sent.',
};

function stateOf({ id: invoiceId, number, verifactu }: Invoice): object {
  if (verifactu === null)
    return { id: invoiceId, number, state: null, meaning: 'Imported: never registered here.' };
  const { status, error, qr_url } = verifactu;
  const meaning = STATES[status] ?? 'An unknown state: treat it like pending.';
  return { id: invoiceId, number, state: status, meaning, error, qr_url };
}

const LONGEST_WAIT_SECONDS = 50;

export const EXPLAINING: readonly Tool[] = [
  tool({
    name: 'registration_state',
    title: 'Registration status',
    description:
      'Reports whether the tax agency has registered an invoice, and what that means. With wait_seconds it waits that long for the answer.',
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
      'Explains why the tax agency has rejected or flagged an invoice, with the agency’s message and the steps that an operator of the service can take.',
    input: { id },
    async run({ client }, input) {
      const invoice = await client.invoices.retrieve(input.id);
      const { status, error } = invoice.verifactu ?? { status: 'registered', error: null };
      if (status !== 'rejected' && status !== 'registered_with_errors') return stateOf(invoice);
      const { text, steps } = recordRemediation(status, error?.code ?? null);
      return { ...stateOf(invoice), remediation: text, steps };
    },
  }),
  tool({
    name: 'explain_error_code',
    title: 'What an error code means',
    description: 'Explains a code of a refusal (such as invalid_tax_id): its meaning and its remedy.',
    input: { code: z.enum(codes) },
    async run(_context, { code }) {
      const { status, meaning, remediation } = catalogue[code];
      return { code, http_status: status, meaning, remediation };
    },
  }),
  tool({
    name: 'search_guides',
    title: 'Search the documentation',
    description: 'Finds the sections of the guides that contain all words. Read one with read_guide.',
    input: { words: z.string().min(2) },
    async run(_context, { words }) {
      const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
      const sections = readGuides().flatMap(({ slug, title, body }) =>
        body
          .split(/^(?=## )/m)
          .filter((text) => terms.every((word) => `${title} ${text}`.toLowerCase().includes(word)))
          .map((text) => ({ guide: slug, section: /^## (.*)/.exec(text)?.[1] ?? title })),
      );
      return { found: sections.slice(0, 20) };
    },
  }),
  tool({
    name: 'read_guide',
    title: 'Read a guide',
    description:
      'Returns a guide of the documentation as Markdown, or one of its sections, as named by search_guides.',
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
