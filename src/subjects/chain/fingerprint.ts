import { hash } from 'node:crypto';

/** The eight values of a registration record that its fingerprint covers, each exactly as written in the XML. */
export type RegistrationFingerprintInput = {
  readonly issuerNif: string;
  readonly number: string;
  readonly issueDate: string;
  readonly invoiceType: string;
  readonly taxTotal: string;
  readonly total: string;
  readonly previous: string | null;
  readonly generatedAt: string;
};

/** The five values of a cancellation record that its fingerprint covers. */
export type CancellationFingerprintInput = Pick<
  RegistrationFingerprintInput,
  'issuerNif' | 'number' | 'issueDate' | 'previous' | 'generatedAt'
>;

/**
 * The fingerprint (Huella) of a registration record: upper-case hexadecimal SHA-256, 64 characters, over the
 * string that the agency prescribes. Values are taken unescaped (specification of the huella v0.1.2, section 3;
 * Orden HAC/1177/2024 art. 13.1.a).
 */
export function registrationFingerprint(input: RegistrationFingerprintInput): string {
  return sha256(
    `IDEmisorFactura=${input.issuerNif}&NumSerieFactura=${input.number}&FechaExpedicionFactura=${input.issueDate}` +
      `&TipoFactura=${input.invoiceType}&CuotaTotal=${input.taxTotal}&ImporteTotal=${input.total}` +
      `&Huella=${input.previous ?? ''}&FechaHoraHusoGenRegistro=${input.generatedAt}`,
  );
}

/** The fingerprint of a cancellation record (Orden HAC/1177/2024 art. 13.1.b). */
export function cancellationFingerprint(input: CancellationFingerprintInput): string {
  return sha256(
    `IDEmisorFacturaAnulada=${input.issuerNif}&NumSerieFacturaAnulada=${input.number}` +
      `&FechaExpedicionFacturaAnulada=${input.issueDate}` +
      `&Huella=${input.previous ?? ''}&FechaHoraHusoGenRegistro=${input.generatedAt}`,
  );
}

function sha256(text: string): string {
  return hash('sha256', text).toUpperCase();
}
