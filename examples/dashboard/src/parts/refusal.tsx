import type { RefObject } from 'react';
import type { Fault, refusalOf } from '../errors.ts';
import { t } from '../language.ts';

/** What is wrong, with what the form calls the field. */
export type Refused = {
  readonly message: string;
  readonly faults: readonly (Fault & { readonly title: string | null })[];
};

/** Numbers have two fields in the request, of which the form has one. */
const fieldOf = (path: string) => path.replace(/(quantity|unitAmount)Decimal$/, '$1');

export function withTitles({ message, faults }: ReturnType<typeof refusalOf>): Refused {
  const named = faults.map((fault) => ({
    ...fault,
    // Drafts hold the invoice one level deeper.
    field: fieldOf(fault.field.replace(/^input\.invoice\./, 'input.')),
  }));
  return { message, faults: named.map((fault) => ({ ...fault, title: titleOf(fault.field) })) };
}

/** The field of a path, or what it is a part of. */
function nearest(path: string): HTMLElement | null {
  const found = document.getElementById(path);
  const end = path.search(/(\.\w+|\[\d+\])$/);
  return found !== null || end < 0 ? found : nearest(path.slice(0, end));
}

/** What the form calls the field of a path: nobody who fills it in knows paths. Null where no field stands for it. */
function titleOf(path: string): string | null {
  const field = nearest(path);
  const label = field instanceof HTMLFieldSetElement ? field.querySelector('legend') : labelOf(field);
  const line = /lineItems\[(\d+)\]/.exec(field?.id ?? '')?.[1];
  const title = label?.textContent;
  if (title == null) return null;
  return line === undefined ? title : t('{field} of line {line}', { field: title, line: Number(line) + 1 });
}

function labelOf(field: HTMLElement | null): HTMLLabelElement | undefined {
  const isInput = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isInput ? field.labels?.[0] : undefined;
}

type SummaryProps = {
  readonly refused: Refused | null;
  readonly summary: RefObject<HTMLDivElement | null>;
};

/** Why it was refused, and a way to each field that is concerned. */
export function RefusalSummary({ refused, summary }: SummaryProps) {
  if (refused === null) return null;
  return (
    <div className="trouble" role="alert" tabIndex={-1} ref={summary}>
      {refused.faults.length === 0 ? <p>{refused.message}</p> : <p>{t('The invoice was not issued.')}</p>}
      <ul>
        {refused.faults.map(({ field, title, message }) => (
          <li key={`${field} ${message}`}>
            {title !== null && (
              <button type="button" className="link" onClick={() => nearest(field)?.focus()}>
                {title}
              </button>
            )}{' '}
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
