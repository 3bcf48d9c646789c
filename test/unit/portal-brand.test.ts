import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandStyle, GROUNDS, logoImage } from '../../src/faces/portal/brand.ts';
import { contrast } from '../../src/subjects/documents/branding/colour.ts';

const css = readFileSync(new URL('../../src/faces/web/style/base.css', import.meta.url), 'utf8');
const coloursOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`--${name}:\\s*(#[0-9a-fA-F]{6})`, 'g'))].map(([, colour]) => colour!);

test('links and buttons in any merchant’s colour have the contrast that readers need, in light and in dark', () => {
  const [light, dark] = ['paper', 'card', 'good-tint', 'wait-tint', 'bad-tint', 'still-tint']
    .map((name) => coloursOf(css, name))
    .reduce(
      ([one, other], [day, night]) => [
        [...one!, day!],
        [...other!, night!],
      ],
      [[], []] as string[][],
    );
  expect(light).toContain(GROUNDS.light.toLowerCase());
  expect(dark).toContain(GROUNDS.dark.toLowerCase());
  const colour = fc
    .integer({ min: 0, max: 0xff_ff_ff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (accent) => {
      const style = brandStyle(accent);
      const [day, night] = coloursOf(style, 'wax');
      const [onDay, onNight] = coloursOf(style, 'on-wax');
      const pairs = [...light!.map((ground) => [ground, day]), ...dark!.map((ground) => [ground, night])];
      for (const [one, other] of [...pairs, [onDay, day], [onNight, night]])
        if (contrast(one!, other!) < 4.5) throw new Error(`${accent}: ${other} on ${one}`);
      return style.includes(`4px solid ${accent}`);
    }),
    { examples: [['#ffffff'], ['#000000'], ['#fff200'], ['#0000ff']] },
  );
});

test('a logo keeps its shape in a header of the usual height; only drawings are enlarged', () => {
  const shown = (type: 'png' | 'svg', width: number, height: number) => {
    const { markup } = logoImage(
      '/portal',
      { id: 3, accentColour: null, logo: { type, width, height } },
      'A "B"',
    )!;
    return /width="(\d+)" height="(\d+)" alt="A &quot;B&quot;"/.exec(markup)!.slice(1).map(Number);
  };
  expect(shown('png', 1_000, 100)).toEqual([200, 20]);
  expect(shown('png', 100, 440)).toEqual([10, 44]);
  expect(shown('png', 30, 20)).toEqual([30, 20]);
  expect(shown('svg', 10, 11)).toEqual([40, 44]);
  expect(shown('svg', 4_000, 1)).toEqual([200, 1]);
});
