import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { Logo } from './branding.ts';
import { refuseLogo } from './refuse-logo.ts';
import { classRules, declarations, type Rules } from './svg-css.ts';
import { DROPPED_ATTRIBUTES, type Properties, validateAttribute } from './svg-properties.ts';

/** An element of fast-xml-parser with `preserveOrder`. */
type Parsed = { readonly ':@'?: Readonly<Record<string, string>> } & { readonly [name: string]: unknown };
type Element = { readonly name: string; readonly attributes: Properties; readonly children: Element[] };

/** Elements that draw, and those that they are drawn with. Every other visible element is refused by its name. */
const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);
const HOLDERS = new Set(['svg', 'g', 'defs', 'linearGradient', 'radialGradient', 'stop', 'clipPath']);
/** Descriptions of the image, and the editor's metadata (in a namespace of its own): invisible, and removed. */
const isSilent = (name: string) => ['title', 'desc', 'metadata'].includes(name) || name.includes(':');
/** The outlines of a logo have some dozens; each is a path in every document. */
const MAX_ELEMENTS = 2_000;
const DEEPEST = 20;
const MAX_STOPS = 64;
/** Hundreds are many already. Each is a separate stroke for the PDF viewer: millions take it ten seconds. */
const MAX_DASHES = 2_000;
/** A document type without internal declarations is harmless; with them, entities could expand without limit. */
const PLAIN_DOCTYPE = /<!DOCTYPE\s+svg(\s+PUBLIC\s+"[^"<>]*"\s+"[^"<>]*")?\s*>/;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
});

const broken = (detail: string) => refuseLogo('broken', `is no whole SVG: ${detail}`);
const forbidden = (what: string, remediation = '') =>
  refuseLogo('forbidden', `must not hold ${what}${remediation}`);

/**
 * Reads an SVG and writes it again with shapes, colours and gradients only: no script, no text (its letters would
 * need fonts), no image, nothing that is loaded or refers to anything but the file's own gradients and clip paths.
 * Style sheets become attributes.
 */
export function readSvg(bytes: Buffer): Outcome<Logo> {
  const text = textOf(bytes);
  if (isRefusal(text)) return text;
  if (XMLValidator.validate(text) !== true) return broken('it is not well-formed');
  const parsed = parse(text);
  if (isRefusal(parsed)) return parsed;
  const root = parsed.find((node) => nameOf(node) !== '#text');
  if (root === undefined || nameOf(root) !== 'svg') return broken('it is no drawing');
  const rules = classRules(stylesOf(root));
  if (rules === null) return forbidden('style rules for anything but classes', ': save it with attributes');
  const state = { rules, elements: 0 };
  const drawing = read(root, state, 0);
  if (isRefusal(drawing)) return drawing;
  const fault = faultOfReferences(drawing);
  if (isRefusal(fault)) return fault;
  if (dashesOf(drawing) > MAX_DASHES) return refuseLogo('too_big', 'has lines of too many dashes');
  if (!hasShape(drawing)) return refuseLogo('broken', 'shows nothing');
  const box = boxOf(root[':@'] ?? {});
  if (box === null) return broken('it has neither a view box nor width and height');
  const [, , width, height] = box;
  const size = { viewBox: box.join(' '), width: String(width), height: String(height) };
  const whole = { ...drawing, attributes: { ...drawing.attributes, ...size } };
  return { type: 'svg', bytes: Buffer.from(write(whole)), width, height };
}

function textOf(bytes: Buffer): Outcome<string> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return broken('it is not in UTF-8');
  }
  const plain = text
    .replace(/^\s*<\?xml\s[^<>]*\?>/, '')
    .replace(PLAIN_DOCTYPE, '')
    .trim();
  if (/<!DOCTYPE|<!ENTITY/i.test(plain)) return forbidden('entities or a document type with declarations');
  if (plain.includes('<?')) return forbidden('processing instructions');
  return plain;
}

/** The parser throws at its own limits for depth and names. */
function parse(text: string): Outcome<Parsed[]> {
  try {
    return parser.parse(text) as Parsed[];
  } catch {
    return broken('it is nested too deeply, or has names that no drawing has');
  }
}

function nameOf(node: Parsed): string {
  return Object.keys(node).find((key) => key !== ':@') ?? '#text';
}

function childrenOf(node: Parsed): Parsed[] {
  const children = node[nameOf(node)];
  return Array.isArray(children) ? children : [];
}

/** The texts of all style elements. */
function stylesOf(node: Parsed): string {
  return childrenOf(node)
    .map((child) =>
      nameOf(child) === 'style'
        ? childrenOf(child)
            .map((text) => String(text['#text'] ?? text['__cdata'] ?? ''))
            .join('')
        : stylesOf(child),
    )
    .join('');
}

type SvgState = { readonly rules: Rules; elements: number };

function read(node: Parsed, state: SvgState, depth: number): Outcome<Element> {
  const name = nameOf(node);
  state.elements += 1;
  if (state.elements > MAX_ELEMENTS) return refuseLogo('too_big', `has more than ${MAX_ELEMENTS} elements`);
  if (depth > DEEPEST) return refuseLogo('too_big', `is nested deeper than ${DEEPEST} groups`);
  const attributes = attributesOf(name, node[':@'] ?? {}, state.rules);
  if (isRefusal(attributes)) return attributes;
  const children: Element[] = [];
  for (const child of childrenOf(node)) {
    const childName = nameOf(child);
    if (childName === 'style' || isSilent(childName)) continue;
    if (childName === '#text') {
      if (String(child['#text']).trim() !== '') return forbidden('text outside of shapes');
      continue;
    }
    const isKnown = SHAPES.has(childName) || (HOLDERS.has(childName) && childName !== 'svg');
    if (!isKnown) return forbidden(`the element ${cutName(childName)}`, remediationOf(childName));
    const element = read(child, state, depth + 1);
    if (isRefusal(element)) return element;
    children.push(element);
  }
  return { name, attributes, children };
}

function cutName(name: string): string {
  return name.slice(0, 40);
}

function remediationOf(name: string): string {
  if (name === 'text' || name === 'tspan') return ': turn its texts into paths';
  if (name === 'image') return ': upload the picture itself as PNG or JPEG';
  if (name === 'use' || name === 'symbol') return ': save it with its symbols expanded';
  return '';
}

/** Attributes, class rules and the style attribute, in increasing precedence, each validated. */
function attributesOf(
  element: string,
  given: Readonly<Record<string, string>>,
  rules: Rules,
): Outcome<Properties> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (/^on/i.test(name)) return forbidden('programs');
    if (name === 'style' || name === 'class') continue;
    own[name] = value;
  }
  const ofClasses = (given['class'] ?? '').split(/\s+/).map((name) => rules.get(name) ?? {});
  const styled = declarations(given['style'] ?? '');
  if (styled === null) return forbidden('a style that fetches something');
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(Object.assign(own, ...ofClasses, styled))) {
    if (DROPPED_ATTRIBUTES.test(name)) continue;
    const drawn = validateAttribute(element, name, String(value).trim());
    if (drawn === 'forbidden') return forbidden(`the attribute ${cutName(name)} with this value`);
    if (drawn !== null) Object.assign(kept, drawn);
  }
  return kept;
}

/**
 * What is wrong with the element's references, or null. They may refer to gradients, which may refer to one more,
 * and to clip paths, which may not refer further: a chain of those could expand to millions.
 */
function faultOfReferences(drawing: Element): Outcome<null> {
  const elements = flat(drawing);
  const byId = new Map(elements.toReversed().map((element) => [element.attributes['id'], element]));
  for (const element of elements) {
    const { name, attributes, children } = element;
    if (name.endsWith('Gradient') && children.length > MAX_STOPS)
      return refuseLogo('too_big', 'has a gradient of too many colours');
    if (name === 'clipPath' && flat(element).some((inner) => 'clip-path' in inner.attributes)) {
      return forbidden('clips of clips');
    }
    for (const attribute of ['fill', 'stroke', 'clip-path', 'xlink:href'] as const) {
      const value = attributes[attribute] ?? '';
      const id = attribute === 'xlink:href' ? value.slice(1) : /^url\(#(.*)\)$/.exec(value)?.[1];
      if (id === undefined || id === '') continue;
      const target = byId.get(id);
      const fits =
        attribute === 'clip-path' ? target?.name === 'clipPath' : target?.name.endsWith('Gradient');
      const goesOn = attribute === 'xlink:href' && target?.attributes['xlink:href'] !== undefined;
      if (fits !== true || goesOn) return broken(`it refers to #${id.slice(0, 40)}, which it does not hold`);
    }
  }
  return null;
}

const EXTENTS = ['d', 'points', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'r', 'rx', 'ry'];

/** About how many dashes there are: no outline is much longer than the sum of all its numbers. */
function dashesOf({ name, attributes, children }: Element, inherited = 'none'): number {
  const pattern = attributes['stroke-dasharray'] ?? inherited;
  const lengths = numbersOf(pattern);
  if (lengths.some((length) => length < 0)) return Number.POSITIVE_INFINITY;
  const outline = SHAPES.has(name) ? EXTENTS.flatMap((extent) => numbersOf(attributes[extent])) : [];
  const period = sum(lengths);
  const own = period === 0 ? 0 : (sum(outline) / period) * lengths.length;
  return children.reduce((dashes, child) => dashes + dashesOf(child, pattern), own);
}

function numbersOf(text = ''): number[] {
  return (text.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + Math.abs(number), 0);
}

function flat(element: Element): Element[] {
  return [element, ...element.children.flatMap(flat)];
}

function hasShape({ name, children }: Element): boolean {
  return SHAPES.has(name) || (name !== 'defs' && name !== 'clipPath' && children.some(hasShape));
}

type Box = readonly [x: number, y: number, width: number, height: number];

function boxOf(attributes: Readonly<Record<string, string>>): Box | null {
  const numbers = (attributes['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x = 0, y = 0, width = 0, height = 0] =
    numbers.length === 4 ? numbers : [0, 0, inPixels(attributes['width']), inPixels(attributes['height'])];
  const isUsable =
    [x, y, width, height].every(Number.isFinite) && width > 0 && height > 0 && width < 1e6 && height < 1e6;
  return isUsable ? [x, y, width, height] : null;
}

function inPixels(length = ''): number {
  return Number(/^\s*([\d.]+)(px|pt|mm)?\s*$/.exec(length)?.[1] ?? Number.NaN);
}

/** Attribute values contain none of the five characters: the patterns that they matched do not allow them. */
function write({ name, attributes, children }: Element): string {
  const namespaces =
    name === 'svg' ? ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${namespaces}${pairs.join('')}>${children.map(write).join('')}</${name}>`;
}
