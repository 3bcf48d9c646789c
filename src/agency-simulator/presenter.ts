import type { IncomingMessage } from 'node:http';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { isNif } from './tax-ids.ts';

/**
 * Who sends a message, by the client certificate. The agency looks in its registers what a holder may do; here words in
 * the certificate's common name say it.
 */
export type Presenter = {
  readonly nif: string;
  /** May act for every issuer: `COLABORADOR`, or the simulator's own certificate. */
  readonly isCollaborator: boolean;
  /** May request nothing for the time being: `SUSPENDIDO`. */
  readonly isSuspended: boolean;
  /** May register invoices, but change nothing that is held of one: `SIN PERMISO`. */
  readonly mayUpdate: boolean;
  /** Is refused like all whose certificate is no longer valid: `REVOCADO`. */
  readonly isRevoked: boolean;
};

/** The holder of the certificate that the simulator makes, which its clients use for whatever company they have. */
const OWN_COLLABORATOR = 'B00000000';

/** Of a certificate without a number: the answer's schema wants a NIF. */
const NOBODY = '00000000T';

export function presenterOf(request: IncomingMessage): Presenter {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  return presenterNamed(subject);
}

/** The same by the names in a certificate's subject. */
export function presenterNamed(subject: PeerCertificate['subject'] | undefined): Presenter {
  const nif = nifOf(subject) ?? NOBODY;
  const commonName = [subject?.CN ?? []].flat().join(' ');
  const says = (words: string): boolean => new RegExp(`\\b${words}\\b`).test(commonName);
  return {
    nif,
    isCollaborator: nif === OWN_COLLABORATOR || says('COLABORADOR'),
    isSuspended: says('SUSPENDIDO'),
    mayUpdate: !says('SIN PERMISO'),
    isRevoked: says('REVOCADO'),
  };
}

/**
 * The company's NIF (`VATES-`), else the person's (`IDCES-`, ETSI EN 319 412-1 section 5.1); older certificates have
 * the bare number, of a company or of a person, as serial number.
 */
function nifOf(subject: PeerCertificate['subject'] | undefined): string | null {
  const values = Object.values(subject ?? {})
    .flat()
    .map(String);
  for (const prefix of ['VATES-', 'IDCES-', '']) {
    const found = values.find((value) => value.startsWith(prefix) && isNif(value.slice(prefix.length)));
    if (found !== undefined) return found.slice(prefix.length);
  }
  return null;
}

/** Whether the holder may send and see the records of an issuer (codes 4112 and 4140). */
export function actsFor({ nif, isCollaborator }: Presenter, issuerNif: string): boolean {
  return isCollaborator || nif === issuerNif;
}
