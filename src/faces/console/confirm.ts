import type { Refusal } from '../../ground/errors/refusal.ts';
import {
  areaField,
  type Field,
  faultSummary,
  fileField,
  selectField,
  textField,
  tickField,
} from '../web/fields.ts';
import { type Content, type Html, html } from '../web/html.ts';
import { requestIdLine } from './layout.ts';
import type { ActionField, Confirmation, Entries, PageContent } from './page.ts';

/** As long as a reason may be where it is kept. */
const LONGEST_REASON = 500;

const REASON: ActionField = {
  name: 'reason',
  label: 'Reason',
  hint: 'The reason. It is stored permanently in the audit log together with your key.',
  max: LONGEST_REASON,
};

type ConfirmationPlace = {
  readonly root: string;
  /** Where the form is sent. */
  readonly address: string;
  readonly formToken: string;
  readonly requestId: string;
};

/** What was sent, and why it was not done. */
export type RefusedForm = { readonly entries: Entries; readonly refusal: Refusal };

/** The page that requests confirmation and a reason; after a refusal, with the errors beside the fields. */
export function confirmationPage(
  confirmation: Confirmation,
  { root, address, formToken, requestId }: ConfirmationPlace,
  refused: RefusedForm | null,
): PageContent {
  const { title, lead, subject, submit, irreversible, back, companyScope } = confirmation;
  const fields = [...(confirmation.fields ?? []), REASON];
  const faults = refused === null ? new Map<string, string>() : faultsOf(fields, refused.refusal);
  const faulty = fields.flatMap(({ name, label }) => {
    const fault = faults.get(name);
    return fault === undefined ? [] : [{ name, label, fault }];
  });
  const alert =
    refused === null
      ? null
      : faulty.length > 0
        ? faultSummary('Nothing was done: please check these fields', faulty)
        : refusedWhole(refused.refusal, requestId);
  const value = (field: ActionField): string => {
    if (refused === null) return field.value ?? '';
    return field.kind === 'password' ? '' : refused.entries(field.name);
  };
  const hasFile = fields.some(({ kind }) => kind === 'file');
  const body = html`<h1>${title}</h1>
${alert}
<p class="lead">${lead}</p>
${subject}
<form class="card act" method="post" action="${address}"${hasFile && html` enctype="multipart/form-data"`} novalidate>
<input type="hidden" name="token" value="${formToken}">
<div class="fields">${fields.map((field) => written(field, value(field), faults.get(field.name)))}</div>
<p class="actions"><button class="primary${irreversible && html` irreversible`}">${submit}</button> <a href="${root}${back}">Cancel</a></p>
</form>`;
  return { title: refused === null ? title : `Error: ${title}`, body, companyScope: companyScope };
}

function written(field: ActionField, value: string, fault: string | undefined): Html {
  const { name, label, hint, max = 200, optional, kind = 'line', choices, width, accept = '' } = field;
  const around: Field = { name, label, hint, fault, width, optional: optional ? 'optional' : undefined };
  if (choices !== undefined) return selectField(around, { choices, chosen: value });
  if (kind === 'file') return fileField(around, accept);
  if (kind === 'tick') return tickField(around, value === 'yes');
  if (kind === 'text') return areaField(around, { value, max, rows: 6 });
  return textField(around, { value, max, type: kind === 'password' ? 'password' : 'text' });
}

/** The errors by field of the form, whose name is part of their path. */
function faultsOf(fields: readonly ActionField[], { errors, code, detail }: Refusal): Map<string, string> {
  const faults = new Map<string, string>();
  for (const { field: path, message } of errors) {
    const field = fields.find(({ name }) => path.split('.').includes(name));
    if (field === undefined) return new Map();
    faults.set(field.name, sentence(`${field.label} ${message}`));
  }
  const taxId = fields.find(({ name }) => name === 'taxId');
  if (code === 'invalid_tax_id' && taxId !== undefined) faults.set(taxId.name, sentence(detail));
  return faults;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A refusal of the whole: its message, and when it may be different. */
function refusedWhole({ code, detail, retryAfter }: Refusal, requestId: string): Content {
  const again = retryAfter !== undefined && html`<p>It can be repeated in ${retryAfter} seconds.</p>`;
  return html`<div class="card trouble" role="alert" tabindex="-1" autofocus><h2>Nothing was done</h2>
<p>${sentence(detail)}</p>${again}<p class="hint">Code <code>${code}</code></p>${requestIdLine(requestId)}</div>`;
}
