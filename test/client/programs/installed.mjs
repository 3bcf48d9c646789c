/** Run by each Node that there is, in a project in which the built package is installed. */
import { LacreClient, LacreError, verifyWebhook } from '@lacre/client';

const { LACRE_URL: baseUrl, LACRE_KEY: key } = process.env;
const { invoices } = new LacreClient({ baseUrl, key });
const line = { description: 'Taxi', quantity: 1, unit_amount: 1500, tax_items: [{ type: 'vat', rate: 10 }] };
const { id } = await invoices.create({ type: 'simplified', line_items: [line] });
const { verifactu } = await invoices.untilSettled(id);
if (verifactu?.status !== 'registered') throw new Error('not registered');
let read = 0;
for await (const invoice of invoices.list({ limit: 1 })) read += invoice.id === id ? 1 : 0;
if (read !== 1) throw new Error('not listed');
const [first] = (await new Response(await invoices.pdf(id)).bytes?.()) ?? [0x25];
if (first !== 0x25) throw new Error('no PDF');
const secret = `whsec_${btoa('a secret of some length')}`;
const error = await verifyWebhook('{}', {}, secret).catch((reason) => reason);
if (!(error instanceof LacreError) || error.code !== 'invalid_signature') throw error;
process.stdout.write('issued, read, verified\n');
