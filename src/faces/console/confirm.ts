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
import { issueText, refusalText } from './refusals.ts';
import { said, say, worded } from './words.ts';

/** As long as a reason may be where it is kept. */
const LONGEST_REASON = 500;

const REASON: ActionField = {
  name: 'reason',
  label: 'Reason',
  hint: 'It is stored permanently in the audit log together with your key.',
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
  const faults = refused === null ? new Map<string, Content>() : faultsOf(fields, refused.refusal);
  const faulty = fields.flatMap(({ name, label }) => {
    const fault = faults.get(name);
    return fault === undefined ? [] : [{ name, label: worded(label), fault }];
  });
  const alert =
    refused === null
      ? null
      : faulty.length > 0
        ? faultSummary(say('Nothing was done: please check these fields'), faulty)
        : refusedWhole(refused.refusal, requestId);
  const value = (field: ActionField): string => {
    if (refused === null) return field.value ?? '';
    return field.kind === 'password' ? '' : refused.entries(field.name);
  };
  const hasFile = fields.some(({ kind }) => kind === 'file');
  const body = html`<h1>${worded(title)}</h1>
${alert}
<p class="lead">${worded(lead)}</p>
${subject}
<form class="card act" method="post" action="${address}"${hasFile && html` enctype="multipart/form-data"`} novalidate>
<input type="hidden" name="token" value="${formToken}">
<div class="fields">${fields.map((field) => written(field, value(field), faults.get(field.name)))}</div>
<p class="actions"><button class="primary${irreversible && html` irreversible`}">${worded(submit)}</button> <a href="${root}${back}">${say('Cancel')}</a></p>
</form>`;
  return {
    title: refused === null ? title : said('Error: {title}', { title: worded(title) }),
    body,
    companyScope: companyScope,
  };
}

function written(field: ActionField, value: string, fault: Content): Html {
  const { name, label, hint, max = 200, optional, kind = 'line', choices, width, accept = '' } = field;
  const around: Field = {
    ...{ name, label: worded(label), hint: hint === undefined ? undefined : worded(hint), fault, width },
    optional: optional ? say('optional') : undefined,
  };
  if (choices !== undefined)
    return selectField(around, {
      choices: choices.map(([choice, name]) => [choice, worded(name)] as const),
      chosen: value,
    });
  if (kind === 'file') return fileField(around, accept);
  if (kind === 'tick') return tickField(around, value === 'yes');
  if (kind === 'text') return areaField(around, { value, max, rows: 6 });
  return textField(around, { value, max, type: kind === 'password' ? 'password' : 'text' });
}

/** The errors by field of the form, whose name is part of their path. */
function faultsOf(fields: readonly ActionField[], refusal: Refusal): Map<string, Content> {
  const { errors, code } = refusal;
  const faults = new Map<string, Content>();
  for (const { field: path, code: issue, message } of errors) {
    const field = fields.find(({ name }) => path.split('.').includes(name));
    if (field === undefined) return new Map();
    faults.set(field.name, issueText(worded(field.label), { code: issue, message }));
  }
  const taxId = fields.find(({ name }) => name === 'taxId');
  if (code === 'invalid_tax_id' && taxId !== undefined) faults.set(taxId.name, refusalText(refusal));
  return faults;
}

/** A refusal of the whole: its message, and when it may be different. */
function refusedWhole(refusal: Refusal, requestId: string): Content {
  const { code, retryAfter } = refusal;
  const again =
    retryAfter !== undefined &&
    html`<p>${say('It can be repeated in {count} seconds.', { count: retryAfter })}</p>`;
  return html`<div class="card trouble" role="alert" tabindex="-1" autofocus><h2>${say('Nothing was done')}</h2>
<p>${refusalText(refusal)}</p>${again}<p class="hint">${say('Code')} <code>${code}</code></p>${requestIdLine(requestId)}</div>`;
}
