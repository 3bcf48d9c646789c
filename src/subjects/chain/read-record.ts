import { hash } from 'node:crypto';

/**
 * A second reader of sealed records, for verification. It shares no code with the writer, so that an error in one
 * is detected by the other.
 */

/** An element: its children, or its text when it has none. */
type Node = { readonly name: string; readonly children: Node[]; text: string };

/** A record as parsed from its own XML: texts unchanged, amounts in cents. */
export type ReadRecord = {
  readonly kind: 'registration' | 'cancellation';
  readonly nif: string;
  readonly number: string;
  /** `dd-mm-yyyy`, as written. */
  readonly issueDate: string;
  readonly reference: string;
  readonly invoiceType: string;
  readonly amends: boolean;
  /** FacturaSimplificadaArt7273 and FacturaSinIdentifDestinatarioArt61d. */
  readonly qualifiedSimplified: boolean;
  readonly recipientUnidentified: boolean;
  /** D or T, and with T the third party's tax id; else empty. */
  readonly issuedBy: string;
  readonly thirdPartyId: string;
  /** The recipient's tax id; empty when none is declared. */
  readonly recipientId: string;
  readonly total: number | null;
  readonly taxTotal: number | null;
  /** Sums over the tax breakdown; null when one of its amounts is invalid. */
  readonly declaredBase: number | null;
  readonly declaredTax: number | null;
  readonly isFirst: boolean;
  /** The invoice and fingerprint that it names as its previous record, as one text; empty when it names none. */
  readonly previous: string;
  readonly installationNumber: string;
  readonly generatedAt: string;
  /** The fingerprint in the record, and the one computed from its content. */
  readonly fingerprint: string;
  readonly computed: string;
};

/** What the fingerprint covers, in the prescribed order (specification of the huella v0.1.2, section 3). */
const COVERED = {
  registration: ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'],
  cancellation: ['IDEmisorFacturaAnulada', 'NumSerieFacturaAnulada', 'FechaExpedicionFacturaAnulada'],
} as const;

/** Reads a sealed record, or returns why it cannot be read. */
export function readRecord(xml: string): ReadRecord | string {
  const root = parse(xml);
  if (typeof root === 'string') return root;
  const kind =
    root.name === 'RegistroAlta' ? 'registration' : root.name === 'RegistroAnulacion' ? 'cancellation' : null;
  if (kind === null) return `the element is ${root.name}`;
  const names = COVERED[kind];
  const invoice = child(root, 'IDFactura');
  const identity = names.map((name) => text(invoice, name));
  const invoiceType = text(root, 'TipoFactura');
  const taxTotal = text(root, 'CuotaTotal');
  const total = text(root, 'ImporteTotal');
  const generatedAt = text(root, 'FechaHoraHusoGenRegistro');
  const link = child(root, 'Encadenamiento');
  const previous = child(link, 'RegistroAnterior');
  const recipient = child(child(root, 'Destinatarios'), 'IDDestinatario');
  const third = child(root, 'Tercero');
  const previousFingerprint = text(previous, 'Huella');
  const covered =
    `${names.map((name, index) => `${name}=${identity[index]}`).join('&')}` +
    (kind === 'registration'
      ? `&TipoFactura=${invoiceType}&CuotaTotal=${taxTotal}&ImporteTotal=${total}`
      : '') +
    `&Huella=${previousFingerprint}&FechaHoraHusoGenRegistro=${generatedAt}`;
  return {
    kind,
    nif: identity[0]!,
    number: identity[1]!,
    issueDate: identity[2]!,
    reference: text(root, 'RefExterna'),
    invoiceType,
    amends: text(root, 'Subsanacion') === 'S',
    qualifiedSimplified: text(root, 'FacturaSimplificadaArt7273') === 'S',
    recipientUnidentified: text(root, 'FacturaSinIdentifDestinatarioArt61d') === 'S',
    issuedBy: text(root, 'EmitidaPorTerceroODestinatario'),
    thirdPartyId: text(third, 'NIF') || text(child(third, 'IDOtro'), 'ID'),
    recipientId: text(recipient, 'NIF') || text(child(recipient, 'IDOtro'), 'ID'),
    total: centsOf(total),
    taxTotal: centsOf(taxTotal),
    ...sumsOf(child(root, 'Desglose')),
    isFirst: text(link, 'PrimerRegistro') === 'S',
    previous: previous === null ? '' : linkText(previous, previousFingerprint),
    installationNumber: text(child(root, 'SistemaInformatico'), 'NumeroInstalacion'),
    generatedAt,
    fingerprint: text(root, 'Huella'),
    computed: hash('sha256', covered, 'hex').toUpperCase(),
  };
}

/** What a record must name as its previous record. */
export function linkOf(record: ReadRecord, fingerprint: string): string {
  return `${record.nif} ${record.number} ${record.issueDate} ${fingerprint}`;
}

function linkText(previous: Node, fingerprint: string): string {
  const [nif, number, date] = COVERED.registration.map((name) => text(previous, name));
  return `${nif} ${number} ${date} ${fingerprint}`;
}

function sumsOf(breakdown: Node | null): { declaredBase: number | null; declaredTax: number | null } {
  let base: number | null = 0;
  let tax: number | null = 0;
  for (const detail of breakdown?.children ?? []) {
    base = sum(base, text(detail, 'BaseImponibleOimporteNoSujeto'));
    tax = sum(tax, text(detail, 'CuotaRepercutida') || '0');
    tax = sum(tax, text(detail, 'CuotaRecargoEquivalencia') || '0');
  }
  return { declaredBase: base, declaredTax: tax };
}

function sum(before: number | null, amount: string): number | null {
  const cents = centsOf(amount);
  return before === null || cents === null ? null : before + cents;
}

/** Cents of a decimal with at most two places; null for any other text. */
function centsOf(amount: string): number | null {
  const [, sign, euros = '', places = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (sign === undefined) return null;
  const cents = Number(euros) * 100 + Number(places.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

function child(node: Node | null, name: string): Node | null {
  if (node === null) return null;
  for (const candidate of node.children) if (candidate.name === name) return candidate;
  return null;
}

function text(node: Node | null, name: string): string {
  return child(node, name)?.text ?? '';
}

/**
 * A record consists of elements and texts only: comments, CDATA sections and document types are refused, and so is
 * a repeated element where one is expected, because two readers could interpret it differently.
 */
function parse(xml: string): Node | string {
  const open: Node[] = [];
  let root: Node | null = null;
  let from = 0;
  while (from < xml.length) {
    const start = xml.indexOf('<', from);
    if (start === -1) return 'text after the last element';
    const end = xml.indexOf('>', start);
    if (end === -1) return 'an element that does not end';
    const current = open.at(-1);
    if (xml[start + 1] === '/') {
      if (current === undefined || localName(xml, start + 2, end) !== current.name)
        return 'elements that cross';
      if (current.children.length === 0) current.text = unescaped(xml.slice(from, start));
      else if (!isBlank(xml, from, start)) return `text beside the elements of ${current.name}`;
      open.pop();
    } else {
      if (xml[start + 1] === '!' || xml[start + 1] === '?') return 'something that is no element';
      if (root !== null && current === undefined) return 'more than one element';
      if (!isBlank(xml, from, start)) return 'text between elements';
      const empty = xml[end - 1] === '/';
      const node: Node = { name: localName(xml, start + 1, empty ? end - 1 : end), children: [], text: '' };
      if (current === undefined) root = node;
      else if (!REPEATED.has(node.name) && child(current, node.name) !== null) return `${node.name} twice`;
      else current.children.push(node);
      if (!empty) open.push(node);
    }
    from = end + 1;
  }
  return root === null || open.length > 0 ? 'an element that does not end' : root;
}

const REPEATED = new Set([
  'DetalleDesglose',
  'IDFacturaRectificada',
  'IDFacturaSustituida',
  'IDDestinatario',
]);

function isBlank(xml: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (xml.charCodeAt(at) > SPACE) return false;
  return true;
}

/** The element's name between the two positions, without prefix and attributes. */
function localName(xml: string, from: number, to: number): string {
  let start = from;
  let end = from;
  for (; end < to; end++) {
    const character = xml.charCodeAt(end);
    if (character === COLON) start = end + 1;
    else if (character <= SPACE) break;
  }
  return xml.slice(start, end);
}

const COLON = 0x3a;
const SPACE = 0x20;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text, unescaped, without the white space (up to U+0020) at both ends, which the agency trims. */
function unescaped(raw: string): string {
  let from = 0;
  let to = raw.length;
  while (from < to && raw.charCodeAt(from) <= SPACE) from++;
  while (to > from && raw.charCodeAt(to - 1) <= SPACE) to--;
  const trimmed = raw.slice(from, to);
  if (!trimmed.includes('&')) return trimmed;
  return trimmed.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? entity;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
  });
}
