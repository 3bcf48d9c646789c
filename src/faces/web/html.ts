/**
 * Text that is markup already. Only `html` and `attributes` create it, and they escape everything else: no page can
 * contain unescaped text.
 */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  /** The template's own text is markup, its values are escaped; null, undefined and false are omitted. */
  static template(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
    let markup = strings[0]!;
    values.forEach((value, index) => {
      markup += written(value) + strings[index + 1]!;
    });
    return new Html(markup);
  }
}

/** The possible values of a template. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

export const html = Html.template;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function written(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(written).join('');
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Somebody's words, kept from turning the direction of ours around them. */
export function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
