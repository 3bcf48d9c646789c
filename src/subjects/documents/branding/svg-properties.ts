/** Names and values of attributes. */
export type Properties = Readonly<Record<string, string>>;

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?`;
const LENGTH = new RegExp(`^${NUMBER}(?:px|pt|mm|cm|in|%)?$`, 'i');
const SHARE = new RegExp(`^${NUMBER}%?$`, 'i');
const LENGTHS = /^(?:none|[\d\s,.+\-expt]*)$/i;
const NUMBERS = /^[\d\s,.+\-e]*$/i;
const REFERENCE = /^url\(\s*['"]?(#[\w-]+)['"]?\s*\)$/;
const COLOUR = /^(?:#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]{3,20}|rgba?\([\d\s.,%/]{5,40}\))$/i;
const WORD = /^[a-zA-Z-]{1,30}$/;
const NAME = /^[\w-]{1,200}$/;
const TRANSFORM = /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s,.+\-e]*\)[\s,]*)*$/;
const PATH = /^[MmLlHhVvCcSsQqTtAaZzEe\d\s,.+-]*$/;
const FRAGMENT = /^#[\w-]+$/;
/** Beyond this no logo measures anything; what has more digits is trying something. */
const LARGEST = 1e6;

const each = (names: string, pattern: RegExp) => names.split(' ').map((name) => [name, pattern] as const);

/** The values that each attribute may have. */
const PATTERNS = new Map<string, RegExp>([
  ...each('x y width height cx cy r rx ry x1 y1 x2 y2 fx fy stroke-width stroke-dashoffset', LENGTH),
  ...each('offset opacity fill-opacity stroke-opacity stop-opacity stroke-miterlimit', SHARE),
  ...each(
    'fill-rule clip-rule stroke-linecap stroke-linejoin display visibility clipPathUnits gradientUnits',
    WORD,
  ),
  ...each('fill stroke stop-color color', COLOUR),
  ...each('transform gradientTransform', TRANSFORM),
  ['stroke-dasharray', LENGTHS],
  ['points', NUMBERS],
  ['d', PATH],
  ['id', NAME],
]);

/** What does not describe shapes: of editors (in their own namespaces), of texts, for programs, for screen readers. */
export const DROPPED_ATTRIBUTES =
  /^(xmlns|xml:|version$|baseProfile$|viewBox$|preserveAspectRatio$|enable-background$|role$|lang$|tabindex$|data-|aria-|-|font|text-|letter-|word-|line-height|writing-|white-space|direction$|paint-order$|isolation$|overflow$|shape-rendering$|color-interpolation|color-rendering$|image-rendering$|vector-effect$|solid-|(?!xlink:)[\w-]+:)/;

/**
 * An attribute as it is written, null where it has no effect, `forbidden` where it is what we do not print: effects
 * (masks, filters, markers, blending) and whatever is not of its form.
 */
export function validateAttribute(
  element: string,
  name: string,
  value: string,
): Properties | 'forbidden' | null {
  if (name === 'href' || name === 'xlink:href') {
    return element.endsWith('Gradient') && FRAGMENT.test(value) ? { 'xlink:href': value } : 'forbidden';
  }
  if (element === 'svg' && ['x', 'y', 'width', 'height'].includes(name)) return null;
  if (name.startsWith('xlink:')) return null;
  const pattern = PATTERNS.get(name);
  const isEffect = /^(mask|filter|marker|mix-blend-mode|backdrop-filter|clip$|spreadMethod)/.test(name);
  if (isEffect) return isIdle(value) ? null : 'forbidden';
  const reference = REFERENCE.exec(value)?.[1];
  if (name === 'clip-path')
    return value === 'none' ? null : reference === undefined ? 'forbidden' : { [name]: `url(${reference})` };
  if (pattern === COLOUR && reference !== undefined && name !== 'stop-color')
    return { [name]: `url(${reference})` };
  if (pattern === undefined) return null;
  return pattern.test(value) && hasOnlyFairNumbers(value) ? { [name]: value } : 'forbidden';
}

/** The values that leave an effect out. */
function isIdle(value: string): boolean {
  return ['none', 'normal', 'auto', 'pad'].includes(value);
}

function hasOnlyFairNumbers(value: string): boolean {
  const digits = value.startsWith('#') ? [] : (value.match(new RegExp(NUMBER, 'gi')) ?? []);
  return digits.every((number) => Math.abs(Number(number)) <= LARGEST);
}
