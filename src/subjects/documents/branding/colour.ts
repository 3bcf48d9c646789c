/** A colour as everybody writes it, `#RRGGBB`. */
export type Colour = string;

type Channels = readonly [red: number, green: number, blue: number];

/** WCAG 2.2, success criterion 1.4.3: the contrast that text needs for readers with low vision. */
const READABLE = 4.5;
/** Each step darkens by an amount that is barely visible. */
const STEP = 0.97;

function channelsOf(colour: Colour): Channels {
  const at = (position: number) => Number.parseInt(colour.slice(position, position + 2), 16);
  return [at(1), at(3), at(5)];
}

function colourOf(channels: Channels): Colour {
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

/** Relative luminance, 0 to 1 (WCAG 2.2, definitions). */
function luminance(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour itself if text in it is readable on the background, else the nearest darker shade of the same hue. */
export function readableOn(ground: Colour, colour: Colour): Colour {
  return shadeReadableOn(ground, colour, (value) => value * STEP);
}

/** The same on a dark background: the nearest lighter shade. */
export function readableOnDark(ground: Colour, colour: Colour): Colour {
  return shadeReadableOn(ground, colour, (value) => 255 - (255 - value) * STEP);
}

function shadeReadableOn(ground: Colour, colour: Colour, step: (value: number) => number): Colour {
  let channels = channelsOf(colour);
  while (contrast(ground, colourOf(channels)) < READABLE) {
    channels = [step(channels[0]), step(channels[1]), step(channels[2])];
  }
  return colourOf(channels);
}
