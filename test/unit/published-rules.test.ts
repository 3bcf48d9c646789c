import { beforeAll, describe, expect, test } from 'vitest';
import { type PublishedChecks, publishedChecks } from '../../packages/reader/src/published-checks.ts';
import { readFile } from '../../packages/reader/src/read-file.ts';
import { isRefusal, type Outcome } from '../../src/ground/errors/refusal.ts';
import { ciiOf } from '../../src/subjects/formats/en16931/cii.ts';
import { semanticInvoice } from '../../src/subjects/formats/en16931/invoice.ts';
import { ublOf } from '../../src/subjects/formats/en16931/ubl.ts';
import { ublEsOf } from '../../src/subjects/formats/en16931/ubl-es.ts';
import { done, semanticInvoiceOf } from '../support/formats/format-source.ts';
import { INVALID_DOCUMENTS } from '../support/formats/invalid-documents.ts';
import { randomInvoice } from '../support/formats/random-invoices.ts';
import { EINVOICE_SCHEMAS } from '../support/formats/rules.ts';

if (EINVOICE_SCHEMAS === undefined) {
  console.warn(
    '\n!!! EINVOICE_SCHEMAS is not set: structured invoices are NOT held against schemas and rules.\n',
  );
}

// Saxon makes its own form of the rules once for each machine, which takes it a minute of a busy one.
const COMPILING_MS = 600_000;
/** Of every kind twice or more; `npm run formats` looks at 10,000. */
const INVOICES = 28;

describe.skipIf(EINVOICE_SCHEMAS === undefined)(
  'by the published schemas and rules',
  { timeout: COMPILING_MS },
  () => {
    let ubl: PublishedChecks;
    let cii: PublishedChecks;
    beforeAll(() => {
      ubl = publishedChecks(EINVOICE_SCHEMAS!, 'ubl');
      cii = publishedChecks(EINVOICE_SCHEMAS!, 'cii');
      for (const { findings } of [ubl, cii]) findings('<none/>');
    }, COMPILING_MS);

    const faultsOf = (document: Buffer, { schemaErrors, findings }: PublishedChecks): string[] => {
      const text = String(document);
      return [
        ...schemaErrors(text),
        ...findings(text)
          .filter(({ isFatal }) => isFatal)
          .map(({ rule }) => rule),
      ];
    };

    test('random invoices of every kind are valid in every format that applies', () => {
      let documents = 0;
      for (let seed = 0; seed < INVOICES; seed += 1) {
        const { source, kind, about } = randomInvoice(seed);
        const invoice = semanticInvoice(source);
        const made: [Outcome<Buffer>, PublishedChecks][] = [[ublEsOf(source), ubl]];
        if (!isRefusal(invoice)) made.push([ublOf(invoice), ubl], [ciiOf(invoice), cii]);
        for (const [document, checks] of made) {
          if (isRefusal(document)) continue;
          documents += 1;
          expect({ seed, kind, about, faults: faultsOf(document, checks) }).toEqual({
            seed,
            kind,
            about,
            faults: [],
          });
        }
      }
      expect(documents).toBeGreaterThan(INVOICES / 2);
    });

    test.each(INVALID_DOCUMENTS)(
      'a document that breaks $rule is refused by it: $what',
      async ({ rule, syntax, edit, given }) => {
        const invoice = semanticInvoiceOf(given);
        const document = String(syntax === 'ubl' ? ublOf(invoice) : done(ciiOf(invoice)));
        const changed = edit(document);
        expect(changed).not.toBe(document);
        const { schemaErrors, findings } = syntax === 'ubl' ? ubl : cii;
        const published = findings(changed).map((finding) => finding.rule);
        const faults = rule === 'schema' ? schemaErrors(changed) : published;
        if (rule === 'schema') expect(faults).not.toEqual([]);
        else expect(faults).toContain(rule);
        // Our own reading of the rules refuses nothing that CEN's admits; what is left to schemas is no rule there.
        const { documents } = await readFile('spoiled.xml', Buffer.from(changed));
        const own = documents[0]!.findings
          .map((finding) => finding.rule)
          .filter((each) => each.startsWith('BR-'));
        expect(own.filter((each) => !published.includes(each))).toEqual([]);
      },
    );
  },
);
