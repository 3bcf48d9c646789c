/**
 * The signature policy of the format: "Política de firma electrónica de Facturae", version 3.1, published by the ministries behind the format at
 * the address that identifies it. The digest is that of the published file, as the public administration's own signing program (AutoFirma,
 * class PreferencesPanelFacturaE) has it; SHA-1 is what the policy and that program write, and what verifiers compare. Nothing that is
 * signed rests on it: what the signature covers is digested with SHA-256.
 */
export const POLICY = {
  identifier:
    'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  description: 'Política de Firma FacturaE v3.1',
  digestMethod: 'http://www.w3.org/2000/09/xmldsig#sha1',
  digest: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
} as const;

/** Who signs, of the policy's "emisor", "receptor" and "tercero": the company that issued the invoice. */
export const SIGNER_ROLE = 'emisor';
