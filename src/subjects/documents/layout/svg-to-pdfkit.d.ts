/**
 * The part of svg-to-pdfkit (which has no type declarations) that is used: it draws an SVG at a position of the
 * page.
 */
declare module 'svg-to-pdfkit' {
  export default function drawSvg(
    doc: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options: {
      readonly width: number;
      readonly height: number;
      /** The size is in points, and not in pixels of a screen. */
      readonly assumePt: boolean;
      readonly preserveAspectRatio: string;
      readonly warningCallback: (warning: string) => void;
    },
  ): void;
}
