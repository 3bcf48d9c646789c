import type { Language } from '../../ground/lib/language.ts';
import type { Content, Html } from '../web/html.ts';

/** What stands around the guides, by language; the guides themselves are files. */

const en = {
  section: 'Documentation',
  skip: 'Skip to content',
  search: 'Search',
  allPages: 'All pages',
  languages: 'Language',
  language: 'English',
  onThisPage: 'On this page',
  neighbours: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  linkTo: (heading: string) => `Link to “${heading}”`,
  table: 'Table',
  untranslated: 'This page is only in Spanish.',
  copy: { button: 'Copy', done: 'Copied', failed: 'Not copied' },
  /** Between how many entries are shown, and of how many. */
  of: 'of',
  code: { answer: 'Answer', bash: 'Shell', ini: 'Settings', text: 'Output', other: 'Text' },
  groups: { building: 'Build with it', running: 'Run it', reference: 'Look it up' },
  shell: (link: Html): readonly Content[] => ['The commands take their keys from the shell of ', link, '.'],
  shellLink: 'First invoice, Before you begin',
  reference: {
    about: (printed: Html, first: Html): readonly Content[] => [
      'The whole is shown by a script; programs read ',
      ...[printed, ', people may begin with the ', first, '.'],
    ],
    first: 'first invoice',
  },
  schema: {
    how: (guide: Html): readonly Content[] => [
      ...['How to ask is in ', guide, '. The names are REST’s in camelCase, amounts are whole cents.'],
    ],
    guide: 'GraphQL for front ends',
    find: 'Find a type or field',
    groups: {
      ...{ queries: 'Queries', mutations: 'Mutations', subscriptions: 'Subscriptions' },
      ...{ objects: 'Objects', interfaces: 'Interfaces', inputs: 'Inputs' },
      ...{ enumerations: 'Enumerations', scalars: 'Scalars' },
    },
  },
  home: 'Invoices under Spain’s VERI*FACTU regime, over REST and GraphQL: numbered without gaps, sealed into a chain of records, registered at the tax agency, delivered as PDF. Every example on these pages is run by the tests of this version.',
  pages: {
    api: {
      title: 'API reference',
      summary:
        'Every endpoint of REST with its fields, answers and codes; requests can be tried in the page.',
    },
    schema: {
      title: 'GraphQL schema',
      summary: 'Every type, field and argument, with its description; also as one file.',
    },
    errors: {
      title: 'Errors',
      summary: 'Every code: what it means, what to do, and whether a retry helps.',
    },
    changelog: {
      title: 'Changelog',
      summary: 'What each version has brought, for users and operators.',
    },
    declaration: {
      title: 'Declaración responsable',
      summary: 'The producer’s declaration for this version (Orden HAC/1177/2024 art. 15).',
    },
  },
  searching: {
    title: 'Search',
    label: 'Search for',
    none: 'Nothing has all of these words.',
    some: 'Nothing has all of these words. Some of them are here:',
    found: (count: number, shown: number) =>
      `${count} found${count > shown ? `, the best ${shown} shown` : ''}.`,
  },
  notices: {
    missing: 'There is no such page.',
    method: 'Pages support only GET.',
    malformed: 'The address is malformed.',
    failed: 'The page is not available at present. Try again in a moment.',
    tooMany: 'Too many pages were requested. Try again in a moment.',
    home: 'To the documentation’s first page',
  },
};

/** A text that is missing in one language does not compile. */
export type Texts = typeof en;

const es: Texts = {
  section: 'Documentación',
  skip: 'Ir al contenido',
  search: 'Buscar',
  allPages: 'Todas las páginas',
  languages: 'Idioma',
  language: 'Español',
  onThisPage: 'En esta página',
  neighbours: 'Página anterior y siguiente',
  previous: 'Anterior',
  next: 'Siguiente',
  linkTo: (heading) => `Enlace a «${heading}»`,
  table: 'Tabla',
  untranslated: 'Esta página solo está disponible en inglés.',
  copy: { button: 'Copiar', done: 'Copiado', failed: 'No se ha podido copiar' },
  of: 'de',
  code: { answer: 'Respuesta', bash: 'Terminal', ini: 'Configuración', text: 'Resultado', other: 'Texto' },
  groups: { building: 'Integración', running: 'Explotación', reference: 'Consulta' },
  shell: (link) => ['Las órdenes toman las claves del terminal preparado en ', link, '.'],
  shellLink: 'Primera factura, Antes de empezar',
  reference: {
    about: (printed, first) => [
      'Un script muestra la referencia entera, que describe los campos en inglés; los programas leen ',
      ...[printed, ', y las personas pueden empezar por la ', first, '.'],
    ],
    first: 'primera factura',
  },
  schema: {
    how: (guide) => [
      ...[
        'Cómo preguntar se explica en ',
        guide,
        '. Los nombres son los de REST en camelCase; los importes, ',
      ],
      'céntimos enteros. Las descripciones están en inglés, como en el propio esquema.',
    ],
    guide: 'GraphQL para aplicaciones web',
    find: 'Buscar un tipo o un campo',
    groups: {
      ...{ queries: 'Consultas', mutations: 'Mutaciones', subscriptions: 'Suscripciones' },
      ...{ objects: 'Objetos', interfaces: 'Interfaces', inputs: 'Entradas' },
      ...{ enumerations: 'Enumeraciones', scalars: 'Escalares' },
    },
  },
  home: 'Facturas VERI*FACTU por REST y GraphQL: numeradas sin saltos, con registros de facturación encadenados y remitidos a la Agencia Tributaria, y entregadas en PDF. Las pruebas de esta versión ejecutan todos los ejemplos de estas páginas.',
  pages: {
    api: {
      title: 'Referencia de la API',
      summary:
        'Todas las operaciones de REST con sus campos, respuestas y códigos; las peticiones se pueden probar en la propia página.',
    },
    schema: {
      title: 'Esquema de GraphQL',
      summary: 'Todos los tipos, campos y argumentos con su descripción; también en un solo archivo.',
    },
    errors: {
      title: 'Errores',
      summary: 'Todos los códigos: qué significan, qué hay que hacer y si sirve de algo repetir la petición.',
    },
    changelog: {
      title: 'Novedades',
      summary: 'Qué trae cada versión, para quienes integran y para quienes explotan el servicio.',
    },
    declaration: {
      title: 'Declaración responsable',
      summary: 'La del productor para esta versión (artículo 15 de la Orden HAC/1177/2024).',
    },
  },
  searching: {
    title: 'Búsqueda',
    label: 'Palabras',
    none: 'Ninguna página contiene todas esas palabras.',
    some: 'Ninguna página contiene todas esas palabras. Estas contienen algunas:',
    found: (count, shown) =>
      `${count === 1 ? '1 resultado' : `${count} resultados`}${count > shown ? `; se muestran los ${shown} mejores` : ''}.`,
  },
  notices: {
    missing: 'Esa página no existe.',
    method: 'Estas páginas solo admiten GET.',
    malformed: 'La dirección no es correcta.',
    failed: 'La página no está disponible en este momento. Inténtelo de nuevo dentro de unos instantes.',
    tooMany: 'Se han pedido demasiadas páginas. Inténtelo de nuevo dentro de unos instantes.',
    home: 'Ir a la portada de la documentación',
  },
};

export const texts: Readonly<Record<Language, Texts>> = { es, en };
