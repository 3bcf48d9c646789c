import type { DeclarationConfig, SoftwareConfig } from '../../ground/config/config.ts';
import { agencyDate, type Day } from '../../ground/lib/calendar.ts';

const TITLE = 'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN';

/**
 * The producer's declaration for the running version: the prescribed title, then letters a) to l) in their order,
 * each value after the words that describe it (RD 1007/2023 art. 13; Orden HAC/1177/2024 art. 15.1), then the
 * recommended annex (art. 15.2). Plain text in Spanish, as the law requires, with paragraphs separated by blank
 * lines. `signedOn` is the day on which it is signed.
 */
export function declarationText(
  software: SoftwareConfig,
  declaration: DeclarationConfig,
  signedOn: Day,
): string {
  const date = agencyDate(signedOn).replaceAll('-', '/');
  const items: [letter: string, label: string, text: string][] = [
    ['a', 'Nombre del sistema informático', software.name],
    ['b', 'Código identificador del sistema informático', software.id],
    ['c', 'Identificador completo de la versión', software.version],
    [
      'd',
      'Componentes, hardware y software, y descripción de lo que hace con sus principales funcionalidades',
      `${software.name} se presta como servicio en red y no incluye hardware. Consta de un programa de servidor, con interfaces de programación REST y GraphQL, tareas en segundo plano y una línea de órdenes para la operación, y de una base de datos PostgreSQL. Expide facturas completas y simplificadas, facturas rectificativas y facturas en canje de simplificadas por cuenta de los obligados tributarios; genera por cada una, en el mismo acto, su registro de facturación encadenado con el anterior; genera registros de anulación y de subsanación; produce el documento de la factura con su código QR; remite todos los registros a la Agencia Estatal de Administración Tributaria de forma automática, y guarda y muestra sus respuestas.`,
    ],
    [
      'e',
      'Indicación de si solo puede funcionar como «VERI*FACTU»',
      'Sí. El sistema se ha producido de tal manera que únicamente puede funcionar como «VERI*FACTU».',
    ],
    [
      'f',
      'Indicación de si permite dar soporte a la facturación de varios obligados tributarios',
      'Sí. Da soporte a varios obligados tributarios, con los datos y la cadena de registros de cada uno separados de los demás.',
    ],
    [
      'g',
      'Tipos de firma utilizados para los registros de facturación y de evento cuando no se utiliza como «VERI*FACTU»',
      'Ninguno: el sistema no puede utilizarse de otro modo que como «VERI*FACTU».',
    ],
    ['h', 'Razón social de la entidad productora', software.producerName],
    ['i', 'Número de identificación fiscal (NIF) de la entidad productora', software.producerNif],
    ['j', 'Dirección postal completa de contacto de la entidad productora', declaration.producerAddress],
    [
      'k',
      'Cumplimiento',
      `${software.producerName} hace constar que el sistema informático ${software.name}, en su versión ${software.version}, cumple con lo dispuesto en el artículo 29.2.j) de la Ley 58/2003, de 17 de diciembre, General Tributaria; en el Reglamento que establece los requisitos que deben adoptar los sistemas y programas informáticos o electrónicos que soporten los procesos de facturación de empresarios y profesionales, y la estandarización de formatos de los registros de facturación, aprobado por el Real Decreto 1007/2023, de 5 de diciembre; en la Orden HAC/1177/2024, de 17 de octubre, y en la sede electrónica de la Agencia Estatal de Administración Tributaria para todo aquello que complete las especificaciones de dicha orden.`,
    ],
    ['l', 'Fecha y lugar en que se suscribe', `${date}, en ${declaration.place}`],
  ];
  const annex = [
    'ANEXO',
    ...(declaration.contact === null ? [] : [`Otras formas de contacto: ${declaration.contact}`]),
    'Cómo cumple las especificaciones: la factura y su registro se guardan en una sola operación, de modo que no existe la una sin el otro; la base de datos rechaza todo cambio o borrado posterior; cada registro lleva la huella SHA-256 calculada sobre sus propios datos y sobre la huella del anterior; un envío que falla se repite con los mismos datos y en el mismo orden; y las cadenas se comprueban cada noche contra una segunda lectura de los registros guardados.',
  ];
  const lines = items.map(([letter, label, text]) => `${letter}) ${label}: ${text}`);
  return `${[TITLE, ...lines, ...annex].join('\n\n')}\n`;
}
