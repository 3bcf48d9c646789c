import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import type { Page } from 'playwright-core';
import type { Lacre } from '../../examples/dashboard/server/lacre.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { DOCUMENT_LANGUAGES } from '../../src/subjects/extensions/types.ts';
import { pngLogo } from '../support/documents/logos.ts';
import { ANA, differences } from '../support/invoices/corrections.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { execute } from './execute.ts';
import { type Appearance, capturePage, openPage } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/mail');
const BRANDING = `mutation ($input: SetCompanyBrandingInput!) { setCompanyBranding(input: $input) { accentColour } }`;
const SETTINGS = `mutation ($days: [Int!]) { setEmailSettings(input: { reminderDays: $days }) { reminderDays } }`;
/** Reminders go out on this day after the due day. */
const REMINDED_AFTER = 3;

type Language = (typeof DOCUMENT_LANGUAGES)[number];
type Message = { readonly html: string; readonly text: string };
/** What a customer is written of. */
type Occasion = 'invoice' | 'corrective' | 'voided' | 'reminder';

/** Each language, occasion, window and scheme; the last of them as plain text. */
const SHOWN: readonly (readonly [Language, Occasion, Appearance])[] = [
  ['es', 'invoice', 'desktop-light'],
  ['es', 'reminder', 'phone-dark'],
  ['en', 'invoice', 'phone-light'],
  ['en', 'reminder', 'desktop-dark'],
  ['ca', 'invoice', 'desktop-dark'],
  ['ca', 'corrective', 'phone-light'],
  ['gl', 'reminder', 'phone-light'],
  ['gl', 'voided', 'desktop-light'],
  ['eu', 'invoice', 'phone-dark'],
  ['eu', 'reminder', 'desktop-light'],
];
const SHOWN_PLAIN: (typeof SHOWN)[number] = ['es', 'invoice', 'desktop-light'];

const MESSAGES: Readonly<Record<Language, string>> = {
  es: 'Gracias por su confianza.\nQuedamos a su disposición para cualquier duda.',
  en: 'Thank you for your trust.\nDo not hesitate to ask us anything.',
  ca: 'Gràcies per la vostra confiança.\nQuedem a la vostra disposició per a qualsevol dubte.',
  gl: 'Grazas pola súa confianza.\nQuedamos á súa disposición para calquera dúbida.',
  eu: 'Eskerrik asko zure konfiantzagatik.\nEdozein zalantzatarako, hemen gaituzu.',
};

const ORDER = `mutation ($input: IssueInvoiceFromOrderInput!) { issueInvoiceFromOrder(input: $input) { id } }`;
const VOID = `mutation ($id: ID!) { voidInvoice(invoiceId: $id, reason: "Duplicada") { id } }`;
const EMAIL = 'ana@example.com';

/** What a company's customers are sent, as the demo's folder of mail has it, into docs/mail. */
export async function drawMail(
  browser: TestBrowser,
  lacre: Lacre,
  { integrationId, folder }: { integrationId: string; folder: string },
): Promise<void> {
  const client = new LacreClient({ baseUrl: lacre.url, key: lacre.key });
  const logo = { type: 'png', content: pngLogo.toString('base64') };
  await execute(lacre, BRANDING, { input: { accentColour: '#B4431F', logo, reason: 'for the pictures' } });
  await execute(lacre, SETTINGS, { days: [REMINDED_AFTER] });
  const ids = new Map<string, string>();
  const owed: [Language, string][] = [];
  for (const language of DOCUMENT_LANGUAGES) {
    const issue = (parts: object) =>
      client.invoices.create(aCompleteInvoice({ language, ...parts }) as InvoiceRequest);
    const send = async (occasion: Occasion, id: string, message?: string) => {
      const { id: email } = await client.invoices.send(id, message === undefined ? {} : { message });
      ids.set(`${language} ${occasion}`, email);
    };
    const { issueInvoiceFromOrder: sold } = await execute<Ordered>(lacre, ORDER, {
      input: { ...anOrder(language), integrationId },
    });
    owed.push([language, sold.id]);
    await send('invoice', sold.id, MESSAGES[language]);
    await client.invoices.recordPayment(sold.id, { amount: 50_000, paid_on: madridDay(new Date()) });
    const wrong = await issue({});
    await send('corrective', (await issue(differences(wrong, -2_500, { recipient: undefined }))).id);
    const twice = await issue({});
    await execute(lacre, VOID, { id: twice.id });
    await send('voided', twice.id);
  }
  await client.testClock.advance({ advance: `P${REMINDED_AFTER}D` });
  for (const [language, id] of owed) ids.set(`${language} reminder`, await reminderOf(client, id));

  mkdirSync(FOLDER, { recursive: true });
  const messageOf = async (language: Language, occasion: Occasion) =>
    written(folder, ids.get(`${language} ${occasion}`)!);
  for (const [language, occasion, appearance] of SHOWN) {
    const { html } = await messageOf(language, occasion);
    await draw(browser, appearance, `${language}-${occasion}`, (page) => page.setContent(html));
  }
  const [language, occasion, appearance] = SHOWN_PLAIN;
  const plain = Buffer.from((await messageOf(language, occasion)).text).toString('base64');
  await draw(browser, appearance, `${language}-${occasion}-plain`, async (page) => {
    await page.goto(`data:text/plain;charset=utf-8;base64,${plain}`);
  });
}

type Ordered = { issueInvoiceFromOrder: { id: string } };

/** Of a customer of the shop, whose messages lead to the portal. */
function anOrder(language: Language) {
  const taxItems = [{ type: 'vat', rate: 21 }];
  return {
    ...{ orderId: `mail-${language}`, type: 'complete', language, recipient: { ...ANA, email: EMAIL } },
    customer: { externalCustomerId: 'customer-3', name: ANA.name, email: EMAIL },
    lineItems: [{ description: 'Servicio de asesoría', quantity: 12, unitAmount: 9_500, taxItems }],
    ...{ withholding: { rate: 15 }, dueDate: madridDay(new Date()) },
    payment: {
      means: 'transfer',
      iban: 'ES91 2100 0418 4502 0005 1332',
      terms: 'A la recepción de la factura',
    },
  };
}

async function reminderOf(client: LacreClient, id: string): Promise<string> {
  for (;;) {
    for await (const email of client.invoices.emails(id)) if (email.kind === 'reminder') return email.id;
    await pause(200);
  }
}

/** A message as soon as the job has written it. */
async function written(folder: string, id: string): Promise<Message> {
  const file = join(folder, `${id}.json`);
  while (!existsSync(file)) await pause(200);
  return JSON.parse(readFileSync(file, 'utf8')) as Message;
}

async function draw(
  browser: TestBrowser,
  appearance: Appearance,
  what: string,
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, close } = await openPage(browser, FOLDER, appearance);
  await open(page);
  await capturePage(page, FOLDER, `${what}-${appearance}`);
  await close();
}
