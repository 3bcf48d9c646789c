import { createHash } from 'node:crypto';
import { inTransaction } from '../../../ground/db/transaction.ts';
import { isRefusal, type Outcome, type Refusal } from '../../../ground/errors/refusal.ts';
import { addAuditEntry } from '../../../ground/journal/audit-log.ts';
import { clock } from '../../../ground/lib/clock.ts';
import type { DocumentRequest, DocumentTarget, Format, FormatServices } from '../format.ts';
import type { FormatSource } from '../source.ts';
import { facturaeOf, textOf } from './facturae.ts';
import { notSigned } from './refusal.ts';
import { facturaeSource } from './sealed.ts';
import { type Signer, signed, signerOf } from './signature/sign.ts';

/** Facturae 3.2.2, unsigned. */
export const facturae: Format = {
  refusalOf: refusalOfDocument,
  make(source) {
    const document = facturaeOf(facturaeSource(source));
    return isRefusal(document) ? document : Buffer.from(textOf(document));
  },
};

/**
 * The same with the company's signature. The signature contains its time, so two of one invoice differ in that and
 * in the values derived from it. Refuses without a certificate in force that belongs to the issuer.
 */
export const signedFacturae: Format = {
  async refusalOf(source, services, target) {
    const refusal = refusalOfDocument(source);
    if (refusal !== null) return refusal;
    const signer = await signerFor(source, services, target);
    return isRefusal(signer) ? signer : null;
  },
  async make(source, services, request) {
    const document = facturaeOf(facturaeSource(source));
    if (isRefusal(document)) return document;
    const signer = await signerFor(source, services, request);
    if (isRefusal(signer)) return signer;
    const bytes = Buffer.from(textOf(await signed(document, signer, clock.now())));
    await noted(services, request, bytes);
    return bytes;
  },
};

/** The audit log records who had which document signed in the company's name. */
async function noted(
  { db }: FormatServices,
  { environmentId, invoiceId, actor }: DocumentRequest,
  bytes: Buffer,
): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const entry = { actor, action: 'sign_document', subject: invoiceId, environmentId, reason: null };
  const details = { format: 'facturae_signed', sha256 };
  await inTransaction(db.pool, (client) => addAuditEntry(client, { ...entry, details }));
}

function refusalOfDocument(source: FormatSource): Refusal | null {
  const document = facturaeOf(facturaeSource(source));
  return isRefusal(document) ? document : null;
}

/**
 * The issuer's certificate. The role in the signature is that of the issuer, so the platform's certificate, or one
 * of somebody else who sends for the company, would make that statement wrong.
 */
async function signerFor(
  { content }: FormatSource,
  { certificates }: FormatServices,
  { environmentId }: DocumentTarget,
): Promise<Outcome<Signer>> {
  const certificate = await certificates.of(environmentId);
  const { nif } = content.issuer;
  if (certificate === null) return notSigned(`no certificate of ${nif} is in force`);
  if (certificate.holderNif !== nif) {
    return notSigned(
      `the certificate in force is held by ${certificate.holderNif ?? 'nobody with a NIF'}, not by ${nif}`,
    );
  }
  const identity = certificate.open();
  if (typeof identity === 'string')
    return notSigned('the certificate cannot be opened; an operator sees why');
  return (
    signerOf(identity) ?? notSigned('the certificate has no RSA key, which the policy of signatures demands')
  );
}
