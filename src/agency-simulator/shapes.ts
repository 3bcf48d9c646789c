import type { XmlElement } from './xml.ts';

/** The namespaces of the registration service (targetNamespace of each schema). */
const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';
export const NAMESPACES = {
  information: `${BASE}/SuministroInformacion.xsd`,
  submission: `${BASE}/SuministroLR.xsd`,
  submissionAnswer: `${BASE}/RespuestaSuministro.xsd`,
  query: `${BASE}/ConsultaLR.xsd`,
  queryAnswer: `${BASE}/RespuestaConsultaLR.xsd`,
} as const;

/**
 * What each element holds, in order: `Name`, `Name?` optional, `Name*12` up to twelve, `Name?*12` none to twelve,
 * `A|B` one of them. Elements without an entry hold text. An entry `Parent/Name` goes before the plain name. It is
 * the light form of SuministroLR.xsd and ConsultaLR.xsd: structure only. Deliberately wider in one place: it lets
 * CalificacionOperacion and OperacionExenta both be absent or present, so that 1195 and 1196 can be told.
 */
const PERSON = ['NombreRazon', 'NIF|IDOtro'];
const INVOICE_ID = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'];
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  RegFactuSistemaFacturacion: ['Cabecera', 'RegistroFactura*1000'],
  Cabecera: ['ObligadoEmision', 'Representante?', 'RemisionVoluntaria?', 'RemisionRequerimiento?'],
  ObligadoEmision: ['NombreRazon', 'NIF'],
  Representante: ['NombreRazon', 'NIF'],
  RemisionVoluntaria: ['FechaFinVeriFactu?', 'Incidencia?'],
  RemisionRequerimiento: ['RefRequerimiento', 'FinRequerimiento?'],
  RegistroFactura: ['RegistroAlta|RegistroAnulacion'],
  RegistroAlta: [
    'IDVersion',
    'IDFactura',
    'RefExterna?',
    'NombreRazonEmisor',
    'Subsanacion?',
    'RechazoPrevio?',
    'TipoFactura',
    'TipoRectificativa?',
    'FacturasRectificadas?',
    'FacturasSustituidas?',
    'ImporteRectificacion?',
    'FechaOperacion?',
    'DescripcionOperacion',
    'FacturaSimplificadaArt7273?',
    'FacturaSinIdentifDestinatarioArt61d?',
    'Macrodato?',
    'EmitidaPorTerceroODestinatario?',
    'Tercero?',
    'Destinatarios?',
    'Cupon?',
    'Desglose',
    'CuotaTotal',
    'ImporteTotal',
    'Encadenamiento',
    'SistemaInformatico',
    'FechaHoraHusoGenRegistro',
    'NumRegistroAcuerdoFacturacion?',
    'IdAcuerdoSistemaInformatico?',
    'TipoHuella',
    'Huella',
    'Signature?',
  ],
  RegistroAnulacion: [
    'IDVersion',
    'IDFactura',
    'RefExterna?',
    'SinRegistroPrevio?',
    'RechazoPrevio?',
    'GeneradoPor?',
    'Generador?',
    'Encadenamiento',
    'SistemaInformatico',
    'FechaHoraHusoGenRegistro',
    'TipoHuella',
    'Huella',
    'Signature?',
  ],
  'RegistroAlta/IDFactura': INVOICE_ID,
  'RegistroAnulacion/IDFactura': [
    'IDEmisorFacturaAnulada',
    'NumSerieFacturaAnulada',
    'FechaExpedicionFacturaAnulada',
  ],
  FacturasRectificadas: ['IDFacturaRectificada*1000'],
  IDFacturaRectificada: INVOICE_ID,
  FacturasSustituidas: ['IDFacturaSustituida*1000'],
  IDFacturaSustituida: INVOICE_ID,
  ImporteRectificacion: ['BaseRectificada', 'CuotaRectificada', 'CuotaRecargoRectificado?'],
  Tercero: PERSON,
  Generador: PERSON,
  Destinatarios: ['IDDestinatario*1000'],
  IDDestinatario: PERSON,
  IDOtro: ['CodigoPais?', 'IDType', 'ID'],
  Desglose: ['DetalleDesglose*12'],
  DetalleDesglose: [
    'Impuesto?',
    'ClaveRegimen?',
    'CalificacionOperacion?',
    'OperacionExenta?',
    'TipoImpositivo?',
    'BaseImponibleOimporteNoSujeto',
    'BaseImponibleACoste?',
    'CuotaRepercutida?',
    'TipoRecargoEquivalencia?',
    'CuotaRecargoEquivalencia?',
  ],
  Encadenamiento: ['PrimerRegistro|RegistroAnterior'],
  RegistroAnterior: [...INVOICE_ID, 'Huella'],
  SistemaInformatico: [
    ...PERSON,
    'NombreSistemaInformatico',
    'IdSistemaInformatico',
    'Version',
    'NumeroInstalacion',
    'TipoUsoPosibleSoloVerifactu',
    'TipoUsoPosibleMultiOT',
    'IndicadorMultiplesOT',
  ],
  ConsultaFactuSistemaFacturacion: ['Cabecera', 'FiltroConsulta', 'DatosAdicionalesRespuesta?'],
  'ConsultaFactuSistemaFacturacion/Cabecera': [
    'IDVersion',
    'ObligadoEmision|Destinatario?',
    'IndicadorRepresentante?',
  ],
  Destinatario: ['NombreRazon', 'NIF'],
  FiltroConsulta: [
    'PeriodoImputacion',
    'NumSerieFactura?',
    'Contraparte?',
    'FechaExpedicionFactura?',
    'SistemaInformatico?',
    'RefExterna?',
    'ClavePaginacion?',
  ],
  PeriodoImputacion: ['Ejercicio', 'Periodo'],
  Contraparte: PERSON,
  'FiltroConsulta/FechaExpedicionFactura': ['FechaExpedicionFactura|RangoFechaExpedicion?'],
  RangoFechaExpedicion: ['Desde?', 'Hasta?'],
  'FiltroConsulta/SistemaInformatico': [
    ...PERSON,
    'NombreSistemaInformatico?',
    'IdSistemaInformatico',
    'Version?',
    'NumeroInstalacion',
    'TipoUsoPosibleSoloVerifactu?',
    'TipoUsoPosibleMultiOT?',
    'IndicadorMultiplesOT?',
  ],
  ClavePaginacion: INVOICE_ID,
  DatosAdicionalesRespuesta: ['MostrarNombreRazonEmisor?', 'MostrarSistemaInformatico?'],
};

type Item = { readonly names: readonly string[]; readonly optional: boolean; readonly most: number };

const compiled: ReadonlyMap<string, readonly Item[]> = new Map(
  Object.entries(SHAPES).map(([name, items]) => [name, items.map(itemOf)]),
);

function itemOf(item: string): Item {
  const [, names = '', optional, most = '1'] = /^([\w|]+)(\?)?(?:\*(\d+))?$/.exec(item) ?? [];
  return { names: names.split('|'), optional: optional !== undefined, most: Number(most) };
}

/** Children of these are declared by the envelope's schema; all deeper ones by SuministroInformacion. */
const ENVELOPE_PARENTS = new Set([
  'RegFactuSistemaFacturacion',
  'ConsultaFactuSistemaFacturacion',
  'FiltroConsulta',
  'DatosAdicionalesRespuesta',
]);

/** A departure from the structure: too many of a repeated block, or a missing, misplaced or foreign element. */
export type ShapeFault = { readonly kind: 'structure' | 'too_many'; readonly element: string };

function hasNamespace(element: XmlElement, parent: XmlElement | null, own: string | null): boolean {
  if (element.name === 'Signature') return element.namespace === 'http://www.w3.org/2000/09/xmldsig#';
  const envelopeLevel = parent === null || ENVELOPE_PARENTS.has(parent.name);
  return element.namespace === (envelopeLevel ? own : NAMESPACES.information);
}

/** The first departure of an element from its shape, at any depth, or null. `own` is the envelope's namespace. */
export function shapeFault(
  element: XmlElement,
  own: string,
  parent: XmlElement | null = null,
): ShapeFault | null {
  if (!hasNamespace(element, parent, own)) return { kind: 'structure', element: element.name };
  if (element.name === 'Signature') return null;
  const shape = compiled.get(`${parent?.name}/${element.name}`) ?? compiled.get(element.name);
  if (shape === undefined) {
    const [stranger] = element.children;
    return stranger === undefined ? null : { kind: 'structure', element: stranger.name };
  }
  let at = 0;
  for (const item of shape) {
    let count = 0;
    while (at < element.children.length && item.names.includes(element.children[at]!.name)) {
      const child = element.children[at]!;
      count += 1;
      if (count > item.most) return { kind: item.most > 1 ? 'too_many' : 'structure', element: child.name };
      const fault = shapeFault(child, own, element);
      if (fault !== null) return fault;
      at += 1;
    }
    if (count === 0 && !item.optional) return { kind: 'structure', element: item.names.join(' | ') };
  }
  const surplus = element.children[at];
  return surplus === undefined ? null : { kind: 'structure', element: surplus.name };
}
