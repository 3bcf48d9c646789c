import { type Content, type Html, html } from './html.ts';

/** A field of a form: label, hint, control and error. */
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: Content;
  /** The text that marks it as optional; fields without it are required. */
  readonly optional?: string | undefined;
  /** Required, but not marked: it has a value that means no choice. */
  readonly settled?: boolean | undefined;
  readonly complete?: string | undefined;
  /** Its width relative to other fields. */
  readonly width?: 'half' | 'short' | 'long' | undefined;
};

export function textField(
  field: Field,
  { value, max, type = 'text' }: { value: string; max: number; type?: string },
): Html {
  return around(field, html`<input type="${type}" ${attributes(field)} value="${value}" maxlength="${max}">`);
}

export function areaField(
  field: Field,
  { value, max, rows }: { value: string; max: number; rows: number },
): Html {
  return around(
    field,
    html`<textarea ${attributes(field)} maxlength="${max}" rows="${rows}">
${value}</textarea>`,
  );
}

export type Choice = readonly [value: string, name: string];

export function selectField(
  field: Field,
  { choices, chosen }: { choices: readonly Choice[]; chosen: string },
): Html {
  const offered = choices.map(
    ([value, name]) =>
      html`<option value="${value}"${value.toUpperCase() === chosen.toUpperCase() && html` selected`}>${name}</option>`,
  );
  return around(field, html`<select ${attributes(field)}>${offered}</select>`);
}

/** A file to choose. Its form must be sent as `multipart/form-data`. */
export function fileField(field: Field, accept: string): Html {
  return around(field, html`<input type="file" ${attributes(field)} accept="${accept}">`);
}

/** A checkbox; when checked, it is sent as `yes`. */
export function tickField({ name, label, hint }: Field, ticked: boolean): Html {
  const described = hint !== undefined && html` aria-describedby="${name}-hint"`;
  return html`<div class="field tick"><input type="checkbox" id="${name}" name="${name}" value="yes"${described}${ticked && html` checked`}>
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}</div>`;
}

const isFaulty = (fault: Content): boolean => fault !== undefined && fault !== null && fault !== false;

function attributes({ name, complete, hint, fault, optional, settled }: Field): Html {
  const described = [isFaulty(fault) && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const more: Content = [
    complete !== undefined && html` autocomplete="${complete}"`,
    described !== '' && html` aria-describedby="${described}"`,
    isFaulty(fault) && html` aria-invalid="true"`,
    optional === undefined && !settled && html` required`,
  ];
  return html`id="${name}" name="${name}"${more}`;
}

function around({ name, label, hint, fault, optional, width }: Field, control: Html): Html {
  return html`<div class="field ${width}"><label for="${name}">${label}${
    optional !== undefined && html` <span class="optional">(${optional})</span>`
  }</label>
${isFaulty(fault) && html`<p class="fault" id="${name}-fault">${fault}</p>`}
${control}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}</div>`;
}

/** The invalid fields, above the form: screen readers read it first, and it links to each of them. */
export function faultSummary(
  title: string,
  faulty: readonly { readonly name: string; readonly label: string; readonly fault: Content }[],
): Html {
  return html`<div class="card trouble" role="alert" tabindex="-1" autofocus><h2>${title}</h2><ul>${faulty.map(
    ({ name, label, fault }) => html`<li><a href="#${name}">${label}</a>: ${fault}</li>`,
  )}</ul></div>`;
}
