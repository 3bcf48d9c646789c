import type { Day } from '../../ground/lib/calendar.ts';
import { type BasisPoints, basisPointsOf, type Cents } from '../../ground/lib/money.ts';
import { child as childOf, children, type XmlElement as Element, XmlReader } from '../../ground/lib/xml.ts';
import type { DeclaredRecipient, DeclaredTax, InvoiceReference, RegistrationContent } from './record-xml.ts';

const LISTS = new Set(['IDFacturaRectificada', 'IDFacturaSustituida', 'DetalleDesglose']);

/**
 * The content of a sealed registration record: the reverse of `prepareRegistration`, which produces the same text
 * from it. An amendment starts from here, so that everything it does not amend stays as it was declared. Only for
 * XML that this service wrote.
 */
export function sealedContent(xml: string): RegistrationContent {
  const reader = new XmlReader({ lists: LISTS });
  reader.write(xml);
  const root = childOf(reader.close(), 'RegistroAlta')!;
  const invoice = childOf(root, 'IDFactura')!;
  const software = childOf(root, 'SistemaInformatico')!;
  return {
    issuer: { nif: textOf(invoice, 'IDEmisorFactura'), name: textOf(root, 'NombreRazonEmisor') },
    reference: textOf(root, 'RefExterna'),
    invoiceType: textOf(root, 'TipoFactura') as RegistrationContent['invoiceType'],
    amendment:
      root['Subsanacion'] === 'S'
        ? { previouslyRejected: (root['RechazoPrevio'] as 'S' | 'X' | undefined) ?? null }
        : null,
    rectification: rectificationOf(root),
    exchanged: referencesIn(childOf(root, 'FacturasSustituidas'), 'IDFacturaSustituida'),
    operationOn: typeof root['FechaOperacion'] === 'string' ? dayOf(root['FechaOperacion']) : null,
    description: textOf(root, 'DescripcionOperacion'),
    qualifiedSimplified: root['FacturaSimplificadaArt7273'] === 'S',
    recipientUnidentified: root['FacturaSinIdentifDestinatarioArt61d'] === 'S',
    issuedBy: issuedByOf(root),
    recipient: recipientOf(childOf(childOf(root, 'Destinatarios'), 'IDDestinatario')),
    breakdown: listOf(childOf(root, 'Desglose'), 'DetalleDesglose').map(taxOf),
    total: centsOf(textOf(root, 'ImporteTotal')),
    software: {
      producerName: textOf(software, 'NombreRazon'),
      producerNif: textOf(software, 'NIF'),
      name: textOf(software, 'NombreSistemaInformatico'),
      id: textOf(software, 'IdSistemaInformatico'),
      version: textOf(software, 'Version'),
      installationNumber: textOf(software, 'NumeroInstalacion'),
      severalBillings: textOf(software, 'IndicadorMultiplesOT') === 'S',
    },
  };
}

function rectificationOf(root: Element): RegistrationContent['rectification'] {
  const method = root['TipoRectificativa'];
  if (method !== 'I' && method !== 'S') return null;
  const amounts = childOf(root, 'ImporteRectificacion');
  return {
    method,
    rectified: referencesIn(childOf(root, 'FacturasRectificadas'), 'IDFacturaRectificada'),
    amounts: amounts && {
      base: centsOf(textOf(amounts, 'BaseRectificada')),
      tax: centsOf(textOf(amounts, 'CuotaRectificada')),
      surcharge: optionalCents(amounts, 'CuotaRecargoRectificado'),
    },
  };
}

function referencesIn(block: Element | null, name: string): InvoiceReference[] {
  return listOf(block, name).map((reference) => ({
    nif: textOf(reference, 'IDEmisorFactura'),
    number: textOf(reference, 'NumSerieFactura'),
    issuedOn: dayOf(textOf(reference, 'FechaExpedicionFactura')),
  }));
}

function issuedByOf(root: Element): RegistrationContent['issuedBy'] {
  return root['EmitidaPorTerceroODestinatario'] === 'D' ? 'recipient' : recipientOf(childOf(root, 'Tercero'));
}

function recipientOf(element: Element | null): DeclaredRecipient | null {
  if (element === null) return null;
  const name = textOf(element, 'NombreRazon');
  const other = childOf(element, 'IDOtro');
  if (other === null) return { name, identity: { nif: textOf(element, 'NIF') } };
  const country = (other['CodigoPais'] as string | undefined) ?? null;
  return { name, identity: { documentType: textOf(other, 'IDType'), country, id: textOf(other, 'ID') } };
}

function taxOf(detail: Element): DeclaredTax {
  const optional = (name: string) => (detail[name] as string | undefined) ?? null;
  return {
    agencyTax: textOf(detail, 'Impuesto'),
    regimeKey: optional('ClaveRegimen'),
    operationClass: optional('CalificacionOperacion'),
    exemption: optional('OperacionExenta'),
    rate: optionalRate(detail, 'TipoImpositivo'),
    base: centsOf(textOf(detail, 'BaseImponibleOimporteNoSujeto')),
    tax: optionalCents(detail, 'CuotaRepercutida'),
    surchargeRate: optionalRate(detail, 'TipoRecargoEquivalencia'),
    surcharge: optionalCents(detail, 'CuotaRecargoEquivalencia'),
  };
}

function listOf(element: Element | null, name: string): readonly Element[] {
  return element === null ? [] : children(element, name);
}

/** Untrimmed, because it is what was sealed. */
function textOf(element: Element, name: string): string {
  const value = element[name];
  if (typeof value !== 'string') throw new Error(`a sealed record has no ${name}`);
  return value;
}

function centsOf(amount: string): Cents {
  const [, sign, euros, rest] = /^(-?)(\d+)\.(\d\d)$/.exec(amount) ?? [];
  if (euros === undefined) throw new Error('a sealed record holds an invalid amount');
  const cents = Number(euros) * 100 + Number(rest);
  return sign === '-' ? -cents : cents;
}

function optionalCents(element: Element, name: string): Cents | null {
  return element[name] === undefined ? null : centsOf(textOf(element, name));
}

function optionalRate(element: Element, name: string): BasisPoints | null {
  return element[name] === undefined ? null : basisPointsOf(Number(textOf(element, name)));
}

/** The day of the agency's `dd-mm-yyyy`. */
function dayOf(date: string): Day {
  return date.split('-').reverse().join('-');
}
