import type { Look } from '../../subjects/documents/branding/branding.ts';
import { type Colour, readableOn, readableOnDark } from '../../subjects/documents/branding/colour.ts';
import { type Html, html } from '../web/html.ts';

/** The darkest of the light grounds that letters stand on, and the lightest of the dark ones (`--still-tint` of web/style/base.css). */
export const GROUNDS = { light: '#ECE8E2', dark: '#34302B' } as const;

/** The largest that a logo is shown, in CSS pixels: the header stays as high as without one. */
const WIDEST = 200;
const HIGHEST = 44;

/**
 * What a merchant's colour changes of the pages: links, buttons and marks, in a shade that stays readable in light and in
 * dark, and a stripe above the header in the colour itself.
 */
export function brandStyle(accent: Colour): string {
  const ink = readableOn(GROUNDS.light, accent);
  const pale = readableOnDark(GROUNDS.dark, accent);
  return `:root{--wax:${ink};--wax-deep:color-mix(in srgb,${ink} 80%,#000000);--on-wax:#FFFFFF}
@media (prefers-color-scheme:dark){:root{--wax:${pale};--wax-deep:color-mix(in srgb,${pale} 75%,#FFFFFF);--on-wax:#171513}}
.top{border-top:4px solid ${accent}}
`;
}

/** A stylesheet's and a picture's address change with the branding, so that a browser may keep them. */
const addressOf = (root: string, name: string, { id }: Look) => `${root}/${name}?v=${id}`;

/** The links to the merchant's colour and, for the browser's tab, to its logo; nothing of what it has not set. */
export function brandLinks(root: string, look: Look): Html {
  const icon = look.logo !== null && html`<link rel="icon" href="${addressOf(root, 'logo', look)}">`;
  const colour =
    look.accentColour !== null && html`<link rel="stylesheet" href="${addressOf(root, 'brand.css', look)}">`;
  return html`${icon}${colour}`;
}

/** The merchant's logo with its name for those who do not see it; null without one. */
export function logoImage(root: string, look: Look, name: string): Html | null {
  if (look.logo === null) return null;
  const { type, width, height } = look.logo;
  // Pixels are not enlarged; a drawing has no size of its own.
  const scale = Math.min(type === 'svg' ? Number.POSITIVE_INFINITY : 1, WIDEST / width, HIGHEST / height);
  const size = (length: number) => Math.max(1, Math.round(length * scale));
  return html`<img class="logo" src="${addressOf(root, 'logo', look)}" width="${size(width)}" height="${size(height)}" alt="${name}">`;
}
