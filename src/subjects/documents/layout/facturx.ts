import type { Sheet } from './sheet.ts';

/** Factur-X 1.0 (FNFE-MPE and FeRD), chapter 6: how a PDF/A-3 embeds a structured invoice. */
const FILE_NAME = 'factur-x.xml';
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** The profile that is the whole of EN 16931. */
const PROFILE = 'EN 16931';

/** The description of the embedded file. */
export const FACTURX_SUBJECT = `Factur-X (${PROFILE})`;

/** The properties of the extension schema: their names, descriptions, and values. */
const PROPERTIES = [
  ['DocumentFileName', 'Name of the embedded XML invoice file', FILE_NAME],
  ['DocumentType', 'Type of the embedded document', 'INVOICE'],
  ['Version', 'Version of the Factur-X XML schema', '1.0'],
  ['ConformanceLevel', 'Conformance level of the embedded Factur-X data', PROFILE],
] as const;

/**
 * Embeds the invoice in CII into the document as an alternative form of the pages, and declares it in the XMP
 * packet.
 */
export function embedFacturx(sheet: Sheet, cii: string, description: string, date: Date): void {
  sheet.attach({
    name: FILE_NAME,
    content: cii,
    type: 'text/xml',
    description,
    date,
    relationship: 'Alternative',
  });
  sheet.describe(announcement());
}

/** Properties outside the standard schemas require a description (ISO 19005-3, 6.6.2.3). */
function announcement(): string {
  const properties = PROPERTIES.map(([name, , value]) => `<fx:${name}>${value}</fx:${name}>`);
  const described = PROPERTIES.map(([name, meaning]) =>
    [
      '<rdf:li rdf:parseType="Resource">',
      `<pdfaProperty:name>${name}</pdfaProperty:name>`,
      '<pdfaProperty:valueType>Text</pdfaProperty:valueType>',
      '<pdfaProperty:category>external</pdfaProperty:category>',
      `<pdfaProperty:description>${meaning}</pdfaProperty:description>`,
      '</rdf:li>',
    ].join(''),
  );
  return `
<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">${properties.join('')}</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${described.join('')}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
}
