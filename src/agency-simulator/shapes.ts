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
 * CalificacionOperacion and OperacionExenta both be absent or present, so that 1195 and 1196 can be reported.
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

type Item = {
  readonly names: readonly string[];
  /** Of the element of each name. */
  readonly shapes: readonly Shape[];
  readonly optional: boolean;
  readonly max: number;
};
/** `level` states whose namespace the children have. Without items the element holds text. */
type Shape = { readonly items: readonly Item[]; readonly level: 'envelope' | 'information' };

/** Children of these are declared by the envelope's schema; all deeper ones by SuministroInformacion. */
const ENVELOPE_PARENTS = new Set([
  'RegFactuSistemaFacturacion',
  'ConsultaFactuSistemaFacturacion',
  'FiltroConsulta',
  'DatosAdicionalesRespuesta',
]);

/** A whole envelope's elements have each its shape at hand: with a thousand records there are fifty thousand. */
function shapeOf(name: string, parent: string | null): Shape {
  const items = SHAPES[`${parent}/${name}`] ?? SHAPES[name] ?? [];
  const level = ENVELOPE_PARENTS.has(name) ? 'envelope' : 'information';
  return { items: items.map((item) => itemOf(item, name)), level };
}

function itemOf(item: string, parent: string): Item {
  const [, alternatives = '', optional, max = '1'] = /^([\w|]+)(\?)?(?:\*(\d+))?$/.exec(item) ?? [];
  const names = alternatives.split('|');
  const shapes = names.map((name) => shapeOf(name, parent));
  return { names, shapes, optional: optional !== undefined, max: Number(max) };
}

const MESSAGES: ReadonlyMap<string, Shape> = new Map(
  ['RegFactuSistemaFacturacion', 'ConsultaFactuSistemaFacturacion'].map((name) => [
    name,
    shapeOf(name, null),
  ]),
);

/** A departure from the structure: too many of a repeated block, or a missing, misplaced or foreign element. */
export type ShapeFault = { readonly kind: 'structure' | 'too_many'; readonly element: string };

const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** The first departure of a message from its shape, at any depth, or null. `own` is the message's namespace. */
export function shapeFault(message: XmlElement, own: string): ShapeFault | null {
  const shape = MESSAGES.get(message.name);
  if (shape === undefined || message.namespace !== own) return { kind: 'structure', element: message.name };
  return faultInside(message, shape, own);
}

function faultInside(element: XmlElement, { items, level }: Shape, own: string): ShapeFault | null {
  const { children } = element;
  const namespace = level === 'envelope' ? own : NAMESPACES.information;
  let at = 0;
  for (const { names, shapes, optional, max } of items) {
    let count = 0;
    for (let child = children[at]; child !== undefined; child = children[at]) {
      const which = names.indexOf(child.name);
      if (which < 0) break;
      count += 1;
      if (count > max) return { kind: max > 1 ? 'too_many' : 'structure', element: child.name };
      const signature = child.name === 'Signature';
      if (child.namespace !== (signature ? SIGNATURE : namespace))
        return { kind: 'structure', element: child.name };
      const fault = signature ? null : faultInside(child, shapes[which]!, own);
      if (fault !== null) return fault;
      at += 1;
    }
    if (count === 0 && !optional) return { kind: 'structure', element: names.join(' | ') };
  }
  const surplus = children[at];
  return surplus === undefined ? null : { kind: 'structure', element: surplus.name };
}
