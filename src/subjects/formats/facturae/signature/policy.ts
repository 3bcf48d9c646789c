/**
 * The signature policy of the format: "Política de firma electrónica de Facturae", version 3.1, published by the
 * responsible ministries at the address that identifies it. The digest is that of the published file, as used by
 * the public administration's own signing program (AutoFirma, class PreferencesPanelFacturaE); the policy and that
 * program use SHA-1, and verifiers compare it. The signature's security does not depend on it: the signed content
 * is digested with SHA-256.
 */
export const POLICY = {
  identifier:
    'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  description: 'Política de Firma FacturaE v3.1',
  digestMethod: 'http://www.w3.org/2000/09/xmldsig#sha1',
  digest: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
} as const;

/**
 * The signer's role, one of the policy's "emisor", "receptor" and "tercero": the company that issued the invoice.
 */
export const SIGNER_ROLE = 'emisor';
