import QRCode from 'qrcode';
import type { Sheet } from './sheet.ts';
import { colours } from './style.ts';

type Tile = readonly [x: number, y: number, width: number, height: number];

/** The position of its top left corner, and the length of its sides. */
type Square = { readonly x: number; readonly y: number; readonly side: number };

/**
 * Draws the code as vectors, only its modules: the caller must leave the quiet zone white. Level M by Orden
 * HAC/1177/2024 art. 21.1 and by EPC069-12.
 */
export function drawQrCode(sheet: Sheet, text: string, { x, y, side }: Square): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const scale = side / modules.size;
  sheet.transformed([scale, 0, 0, scale, x, y], () => {
    sheet.mosaic(tilesOf(modules.data, modules.size), colours.black);
  });
}

/** Dark modules, joined along each row. */
function* tilesOf(dark: Uint8Array, size: number): Generator<Tile> {
  for (let row = 0; row < size; row += 1) {
    let start = -1;
    for (let column = 0; column <= size; column += 1) {
      const isDark = column < size && dark[row * size + column] === 1;
      if (isDark && start < 0) start = column;
      if (!isDark && start >= 0) {
        yield [start, row, column - start, 1];
        start = -1;
      }
    }
  }
}
