import { agencyDate, type Day, fiscalTimestamp, type TimeZone } from '../../ground/lib/calendar.ts';
import { type BasisPoints, type Cents, decimalAmount, decimalRate } from '../../ground/lib/money.ts';
import { cancellationFingerprint, registrationFingerprint } from './fingerprint.ts';

/**
 * The two kinds of record in the agency's XML. They are written here and not in the SOAP client, because a record
 * is sealed with its XML: what is hashed, stored, sent and shown is one text, written once.
 */
const NAMESPACE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd';

/** One group of the tax breakdown with its agency classification. */
export type DeclaredTax = {
  readonly agencyTax: string;
  readonly regimeKey: string | null;
  readonly operationClass: string | null;
  readonly exemption: string | null;
  readonly rate: BasisPoints | null;
  readonly base: Cents;
  readonly tax: Cents | null;
  readonly surchargeRate: BasisPoints | null;
  readonly surcharge: Cents | null;
};

/** An invoice as records refer to it. */
export type InvoiceReference = { readonly nif: string; readonly number: string; readonly issuedOn: Day };

/** The recipient, or a third party: a Spanish NIF, or another document with its kind (02 to 07) and country. */
export type DeclaredRecipient = {
  readonly name: string;
  readonly identity:
    | { readonly nif: string }
    | { readonly documentType: string; readonly country: string | null; readonly id: string };
};

/** The software that issues (SistemaInformatico), with the installation number of the chain. */
export type DeclaredSoftware = {
  readonly producerName: string;
  readonly producerNif: string;
  readonly name: string;
  readonly id: string;
  readonly version: string;
  readonly installationNumber: string;
  /** Whether the customer's account pays for more than one company (IndicadorMultiplesOT). */
  readonly severalBillings: boolean;
};

/** The content of a registration record, without what is known only when it is sealed. */
export type RegistrationContent = {
  readonly issuer: { readonly nif: string; readonly name: string };
  readonly reference: string;
  readonly invoiceType: 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5';
  /** Present on an amendment; `previouslyRejected` is the agency's RechazoPrevio. */
  readonly amendment: { readonly previouslyRejected: 'S' | 'X' | null } | null;
  readonly rectification: {
    readonly method: 'I' | 'S';
    readonly rectified: readonly InvoiceReference[];
    readonly amounts: { readonly base: Cents; readonly tax: Cents; readonly surcharge: Cents | null } | null;
  } | null;
  readonly exchanged: readonly InvoiceReference[];
  /** Written only if it differs from the issue day. */
  readonly operationOn: Day | null;
  readonly description: string;
  /** A simplified invoice that identifies its recipient (FacturaSimplificadaArt7273). */
  readonly qualifiedSimplified: boolean;
  /** A full invoice without identification of its recipient (FacturaSinIdentifDestinatarioArt61d). */
  readonly recipientUnidentified: boolean;
  /** Who issued it in the issuer's name: its recipient, or a third party (EmitidaPorTerceroODestinatario, Tercero). */
  readonly issuedBy: 'recipient' | DeclaredRecipient | null;
  readonly recipient: DeclaredRecipient | null;
  readonly breakdown: readonly DeclaredTax[];
  readonly total: Cents;
  readonly software: DeclaredSoftware;
};

/** The previous record of a record, the instant at which it is sealed, and where its issuer's days begin. */
export type Link = {
  readonly previous: { readonly reference: InvoiceReference; readonly fingerprint: string } | null;
  readonly generatedAt: Date;
  readonly timeZone: TimeZone;
};

/** A record's text and its fingerprint, ready to be stored. */
export type SealedRecord = { readonly xml: string; readonly fingerprint: string };

/** Amounts of this size or more must be declared as macrodato (validation 1139). */
const MACRODATO_FROM: Cents = 10_000_000_000;

/**
 * Does all the work that needs neither number nor link, so that sealing under the chain's lock is a few string
 * concatenations and one hash. The order of elements is that of the schema: a misplaced element would have the
 * whole envelope rejected (4102).
 */
export function prepareRegistration(content: RegistrationContent) {
  const taxTotal = decimalAmount(
    content.breakdown.reduce((sum, group) => sum + (group.tax ?? 0) + (group.surcharge ?? 0), 0),
  );
  const total = decimalAmount(content.total);
  const head =
    `</sf:FechaExpedicionFactura></sf:IDFactura>${element('RefExterna', content.reference)}` +
    element('NombreRazonEmisor', content.issuer.name) +
    (content.amendment === null ? '' : amendmentXml(content.amendment)) +
    `<sf:TipoFactura>${content.invoiceType}</sf:TipoFactura>` +
    (content.rectification === null && content.exchanged.length === 0 ? '' : rectificationXml(content));
  const body =
    element('DescripcionOperacion', content.description) +
    (content.qualifiedSimplified ? '<sf:FacturaSimplificadaArt7273>S</sf:FacturaSimplificadaArt7273>' : '') +
    (content.recipientUnidentified
      ? '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d>'
      : '') +
    (Math.abs(content.total) >= MACRODATO_FROM ? '<sf:Macrodato>S</sf:Macrodato>' : '') +
    (content.issuedBy === null ? '' : issuedByXml(content.issuedBy)) +
    (content.recipient === null
      ? ''
      : `<sf:Destinatarios><sf:IDDestinatario>${personXml(content.recipient)}</sf:IDDestinatario></sf:Destinatarios>`) +
    `<sf:Desglose>${content.breakdown.map(taxXml).join('')}</sf:Desglose>` +
    `<sf:CuotaTotal>${taxTotal}</sf:CuotaTotal><sf:ImporteTotal>${total}</sf:ImporteTotal>`;
  const tail = softwareXml(content.software);

  return {
    /** Seals the record with its number and issue day; the fingerprint covers exactly the literals of the XML. */
    seal(invoice: { number: string; issuedOn: Day }, link: Link): SealedRecord {
      const issueDate = agencyDate(invoice.issuedOn);
      const generatedAt = fiscalTimestamp(link.timeZone, link.generatedAt);
      const fingerprint = registrationFingerprint({
        issuerNif: content.issuer.nif,
        number: invoice.number,
        issueDate,
        invoiceType: content.invoiceType,
        taxTotal,
        total,
        previous: link.previous?.fingerprint ?? null,
        generatedAt,
      });
      const operation =
        content.operationOn !== null && content.operationOn !== invoice.issuedOn
          ? `<sf:FechaOperacion>${agencyDate(content.operationOn)}</sf:FechaOperacion>`
          : '';
      const xml =
        `<sf:RegistroAlta xmlns:sf="${NAMESPACE}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura>` +
        `${element('IDEmisorFactura', content.issuer.nif)}${element('NumSerieFactura', invoice.number)}` +
        `<sf:FechaExpedicionFactura>${issueDate}${head}${operation}${body}${linkXml(link)}${tail}` +
        `${closingXml(generatedAt, fingerprint)}</sf:RegistroAlta>`;
      return { xml, fingerprint };
    },
  };
}

export type PreparedRegistration = ReturnType<typeof prepareRegistration>;

/** The content of a cancellation record. */
export type CancellationContent = {
  readonly invoice: InvoiceReference;
  readonly reference: string;
  /** The agency holds no record of the invoice (SinRegistroPrevio). */
  readonly withoutPriorRecord: boolean;
  /** The previous cancellation was rejected (RechazoPrevio). */
  readonly previouslyRejected: boolean;
  readonly software: DeclaredSoftware;
};

/** Seals a cancellation record (RegistroAnulacion). */
export function sealCancellation(content: CancellationContent, link: Link): SealedRecord {
  const issueDate = agencyDate(content.invoice.issuedOn);
  const generatedAt = fiscalTimestamp(link.timeZone, link.generatedAt);
  const fingerprint = cancellationFingerprint({
    issuerNif: content.invoice.nif,
    number: content.invoice.number,
    issueDate,
    previous: link.previous?.fingerprint ?? null,
    generatedAt,
  });
  const xml =
    `<sf:RegistroAnulacion xmlns:sf="${NAMESPACE}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura>` +
    element('IDEmisorFacturaAnulada', content.invoice.nif) +
    element('NumSerieFacturaAnulada', content.invoice.number) +
    `<sf:FechaExpedicionFacturaAnulada>${issueDate}</sf:FechaExpedicionFacturaAnulada></sf:IDFactura>` +
    element('RefExterna', content.reference) +
    (content.withoutPriorRecord ? '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>' : '') +
    (content.previouslyRejected ? '<sf:RechazoPrevio>S</sf:RechazoPrevio>' : '') +
    `${linkXml(link)}${softwareXml(content.software)}${closingXml(generatedAt, fingerprint)}</sf:RegistroAnulacion>`;
  return { xml, fingerprint };
}

function amendmentXml({
  previouslyRejected: rejected,
}: NonNullable<RegistrationContent['amendment']>): string {
  return `<sf:Subsanacion>S</sf:Subsanacion>${rejected === null ? '' : `<sf:RechazoPrevio>${rejected}</sf:RechazoPrevio>`}`;
}

function rectificationXml({ rectification, exchanged }: RegistrationContent): string {
  let xml = '';
  if (rectification !== null) {
    xml += `<sf:TipoRectificativa>${rectification.method}</sf:TipoRectificativa>`;
    if (rectification.rectified.length > 0) {
      const entries = rectification.rectified.map((invoice) => referenceXml('IDFacturaRectificada', invoice));
      xml += `<sf:FacturasRectificadas>${entries.join('')}</sf:FacturasRectificadas>`;
    }
  }
  if (exchanged.length > 0) {
    const entries = exchanged.map((invoice) => referenceXml('IDFacturaSustituida', invoice));
    xml += `<sf:FacturasSustituidas>${entries.join('')}</sf:FacturasSustituidas>`;
  }
  const amounts = rectification?.amounts ?? null;
  if (amounts !== null) {
    xml +=
      `<sf:ImporteRectificacion><sf:BaseRectificada>${decimalAmount(amounts.base)}</sf:BaseRectificada>` +
      `<sf:CuotaRectificada>${decimalAmount(amounts.tax)}</sf:CuotaRectificada>` +
      (amounts.surcharge === null
        ? ''
        : `<sf:CuotaRecargoRectificado>${decimalAmount(amounts.surcharge)}</sf:CuotaRecargoRectificado>`) +
      '</sf:ImporteRectificacion>';
  }
  return xml;
}

function referenceXml(name: string, invoice: InvoiceReference): string {
  return `<sf:${name}>${referenceFields(invoice)}</sf:${name}>`;
}

function referenceFields(invoice: InvoiceReference): string {
  return (
    element('IDEmisorFactura', invoice.nif) +
    element('NumSerieFactura', invoice.number) +
    `<sf:FechaExpedicionFactura>${agencyDate(invoice.issuedOn)}</sf:FechaExpedicionFactura>`
  );
}

function issuedByXml(issuedBy: NonNullable<RegistrationContent['issuedBy']>): string {
  const by = (letter: 'D' | 'T') =>
    `<sf:EmitidaPorTerceroODestinatario>${letter}</sf:EmitidaPorTerceroODestinatario>`;
  return issuedBy === 'recipient' ? by('D') : `${by('T')}<sf:Tercero>${personXml(issuedBy)}</sf:Tercero>`;
}

function personXml({ name, identity }: DeclaredRecipient): string {
  const id =
    'nif' in identity
      ? element('NIF', identity.nif)
      : `<sf:IDOtro>${identity.country === null ? '' : element('CodigoPais', identity.country)}` +
        `<sf:IDType>${identity.documentType}</sf:IDType>${element('ID', identity.id)}</sf:IDOtro>`;
  return `${element('NombreRazon', name)}${id}`;
}

function taxXml(group: DeclaredTax): string {
  return (
    `<sf:DetalleDesglose><sf:Impuesto>${group.agencyTax}</sf:Impuesto>` +
    (group.regimeKey === null ? '' : `<sf:ClaveRegimen>${group.regimeKey}</sf:ClaveRegimen>`) +
    (group.operationClass === null
      ? `<sf:OperacionExenta>${group.exemption}</sf:OperacionExenta>`
      : `<sf:CalificacionOperacion>${group.operationClass}</sf:CalificacionOperacion>`) +
    (group.rate === null ? '' : `<sf:TipoImpositivo>${decimalRate(group.rate)}</sf:TipoImpositivo>`) +
    `<sf:BaseImponibleOimporteNoSujeto>${decimalAmount(group.base)}</sf:BaseImponibleOimporteNoSujeto>` +
    (group.tax === null ? '' : `<sf:CuotaRepercutida>${decimalAmount(group.tax)}</sf:CuotaRepercutida>`) +
    (group.surchargeRate === null || group.surcharge === null
      ? ''
      : `<sf:TipoRecargoEquivalencia>${decimalRate(group.surchargeRate)}</sf:TipoRecargoEquivalencia>` +
        `<sf:CuotaRecargoEquivalencia>${decimalAmount(group.surcharge)}</sf:CuotaRecargoEquivalencia>`) +
    '</sf:DetalleDesglose>'
  );
}

function linkXml({ previous }: Link): string {
  if (previous === null)
    return '<sf:Encadenamiento><sf:PrimerRegistro>S</sf:PrimerRegistro></sf:Encadenamiento>';
  return (
    `<sf:Encadenamiento><sf:RegistroAnterior>${referenceFields(previous.reference)}` +
    `<sf:Huella>${previous.fingerprint}</sf:Huella></sf:RegistroAnterior></sf:Encadenamiento>`
  );
}

function softwareXml(software: DeclaredSoftware): string {
  return (
    `<sf:SistemaInformatico>${element('NombreRazon', software.producerName)}${element('NIF', software.producerNif)}` +
    element('NombreSistemaInformatico', software.name) +
    element('IdSistemaInformatico', software.id) +
    element('Version', software.version) +
    element('NumeroInstalacion', software.installationNumber) +
    '<sf:TipoUsoPosibleSoloVerifactu>S</sf:TipoUsoPosibleSoloVerifactu>' +
    '<sf:TipoUsoPosibleMultiOT>S</sf:TipoUsoPosibleMultiOT>' +
    `<sf:IndicadorMultiplesOT>${software.severalBillings ? 'S' : 'N'}</sf:IndicadorMultiplesOT></sf:SistemaInformatico>`
  );
}

function closingXml(generatedAt: string, fingerprint: string): string {
  return (
    `<sf:FechaHoraHusoGenRegistro>${generatedAt}</sf:FechaHoraHusoGenRegistro>` +
    `<sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${fingerprint}</sf:Huella>`
  );
}

const SPECIAL = /[&<>"]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it stands between tags, or between quotes within one. */
export function xmlText(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character]!);
}

function element(name: string, text: string): string {
  return `<sf:${name}>${xmlText(text)}</sf:${name}>`;
}
