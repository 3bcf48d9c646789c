import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Finding } from '@lacre/reader/finding';
import { FILE_BYTES } from '@lacre/reader/limits';
import { type PublishedChecks, publishedChecks } from '@lacre/reader/published-checks';
import type { ReadFile, ReadSyntax } from '@lacre/reader/read-file';
import type { Command } from 'commander';
import { invalidField, isRefusal, type Outcome, type Refusal } from '../../../ground/errors/refusal.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CheckResult } from '../exit-status.ts';
import { operand, optionalOption } from '../options.ts';
import { page } from './page.ts';
import { readInWorker } from './read-in-worker.ts';
import type { ShownDocument, ShownFile } from './shown.ts';
import { fileAsText } from './text.ts';

export function read(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'read',
    description: 'shows a received invoice: UBL, CII, Factur-X or Facturae',
    details:
      'Shows a received invoice in UBL 2.1, CII D16B, Factur-X (or another PDF with an invoice in it) or Facturae 3.1 to 3.2.2, signed or not, or a ZIP file of them: its content, the rules that it violates, and whether the signature covers what is shown. It needs no database, no settings and no network. The checks are our own, after EN 16931 and the schema of Facturae; with the folder of the published schemas it is checked against those too. Ends with 6 if a rule is violated.',
    parameters: {
      file: operand('the file'),
      html: optionalOption('path', 'the file to write as an HTML page'),
      schemas: optionalOption('folder', 'published schemas and rules (docs/guides/structured-invoices.md)'),
    },
    examples: [
      ['A received invoice', 'read invoice.xml'],
      ['As a page', 'read invoice.xml --html invoice.html'],
    ],
    async run({ json }, { file, html, schemas }) {
      const content = contentOf(file);
      if (isRefusal(content)) return content;
      const found = await readInWorker(basename(file), content);
      if (isRefusal(found)) return found;
      const shown = checked(basename(file), found, schemas);
      if (isRefusal(shown)) return shown;
      const problem = html === undefined ? null : written(html, page(shown));
      if (problem !== null) return problem;
      const result = json ? shown : fileAsText(shown);
      return isSound(shown) ? result : new CheckResult('check_failed', result);
    },
  });
}

/** No more is read of a file than can be an invoice; a pipe or a device is none. */
function contentOf(path: string): Outcome<Buffer> {
  try {
    const status = statSync(path);
    if (!status.isFile()) return invalidField('file', 'not_readable', 'is not a file');
    if (status.size > FILE_BYTES) {
      return invalidField('file', 'too_big', 'is larger than the limit for invoices');
    }
    return readFileSync(path);
  } catch (error) {
    return invalidField('file', 'not_readable', `cannot be read: ${(error as Error).message}`);
  }
}

function written(path: string, text: string): Refusal | null {
  try {
    writeFileSync(path, text);
    return null;
  } catch (error) {
    return invalidField('html', 'not_writable', `cannot be written: ${(error as Error).message}`);
  }
}

function checked(
  file: string,
  { documents, unread }: ReadFile,
  folder: string | undefined,
): Outcome<ShownFile> {
  const checks = new Map<ReadSyntax, PublishedChecks>();
  const shown: ShownDocument[] = [];
  for (const { xml, ...document } of documents) {
    if (folder === undefined) {
      shown.push({ ...document, checkedBy: ['own checks'] });
      continue;
    }
    const published = checks.get(document.syntax) ?? opened(folder, document.syntax);
    if (isRefusal(published)) return published;
    checks.set(document.syntax, published);
    shown.push({ ...document, ...withPublished(document.findings, published, xml) });
  }
  return { file, documents: shown, unread };
}

function opened(folder: string, syntax: ReadSyntax): Outcome<PublishedChecks> {
  try {
    return publishedChecks(folder, syntax);
  } catch (error) {
    return invalidField(
      'schemas',
      'not_readable',
      `has no schemas of ${syntax}: ${(error as Error).message}`,
    );
  }
}

/** Published findings come first; of a rule that both know theirs is shown. */
function withPublished(
  own: readonly Finding[],
  { schemaErrors, findings, hasRules }: PublishedChecks,
  xml: string,
): Pick<ShownDocument, 'findings' | 'checkedBy'> {
  const published = [
    ...schemaErrors(xml).map((text) => ({ rule: 'schema', isFatal: true, text })),
    ...findings(xml).map((finding) => ({ ...finding, text: finding.text.replace(/^\[[^\]]*\]-?\s*/, '') })),
  ];
  const known = new Set(published.map(({ rule }) => rule));
  return {
    findings: [...published, ...own.filter(({ rule }) => !known.has(rule))],
    checkedBy: ['own checks', 'schema', ...(hasRules ? ['rules of EN 16931'] : [])],
  };
}

function isSound({ documents, unread }: ShownFile): boolean {
  return (
    unread.length === 0 &&
    documents.every(
      ({ findings, signature }) => !findings.some(({ isFatal }) => isFatal) && signature?.isIntact !== false,
    )
  );
}
