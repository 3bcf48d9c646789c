import type { Sheet } from './sheet.ts';

/** Factur-X 1.0 (FNFE-MPE and FeRD), chapter 6: how a PDF/A-3 carries an invoice for programs. */
const FILE_NAME = 'factur-x.xml';
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** The profile that is EN 16931 whole. */
const PROFILE = 'EN 16931';

/** The subject of the file. */
export const FACTURX_SUBJECT = `Factur-X (${PROFILE})`;

/** The properties of the file's own schema: their names, what they mean, and what they say here. */
const PROPERTIES = [
  ['DocumentFileName', 'Name of the embedded XML invoice file', FILE_NAME],
  ['DocumentType', 'Type of the embedded document', 'INVOICE'],
  ['Version', 'Version of the Factur-X XML schema', '1.0'],
  ['ConformanceLevel', 'Conformance level of the embedded Factur-X data', PROFILE],
] as const;

/** Puts the invoice in CII into the document: attached as another form of the pages, and announced in the XMP packet. */
export function carryFacturx(sheet: Sheet, cii: string, description: string, date: Date): void {
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

/** Properties that no standard schema has must come with a description of theirs (ISO 19005-3, 6.6.2.3). */
function announcement(): string {
  const said = PROPERTIES.map(([name, , value]) => `<fx:${name}>${value}</fx:${name}>`);
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
<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">${said.join('')}</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${described.join('')}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
}
