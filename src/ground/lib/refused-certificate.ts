/** The TLS alerts with which a server refuses the certificate of its client (RFC 8446, 6.2), as OpenSSL names them. */
const ALERT =
  /alert (bad certificate|unsupported certificate|certificate (revoked|expired|unknown|required)|unknown ca|access denied)/i;

/** Whether the reason of a failed connection is that the server refused our certificate. */
export function isCertificateAlert(reason: string): boolean {
  return ALERT.test(reason.replaceAll('_', ' '));
}

/** The statuses of a server that has let the connection in and refuses who its certificate names. */
export function isCertificateStatus(status: number): boolean {
  return status === 401 || status === 403;
}
