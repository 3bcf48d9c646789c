import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { IssueInvoice, Preview } from '../documents.ts';
import { type Fault, refusalOf } from '../errors.ts';
import { euros } from '../format.ts';
import {
  aLine,
  type Draft,
  isComplete,
  type Line,
  type Rectifies,
  requestOf,
  type Tax,
  VAT,
} from './draft.ts';
import { Group, Input, Select } from './field.tsx';

type Props = {
  readonly begin: Draft;
  readonly rectifies: Rectifies | null;
  readonly button: string;
  readonly onIssued: (id: string) => void;
};

/** What is wrong, with what the form calls the field. */
type Refused = { readonly message: string; readonly faults: readonly (Fault & { readonly title: string })[] };

/** Issues an invoice, or one that corrects another. */
export function InvoiceForm({ begin, rectifies, button, onIssued }: Props) {
  const [draft, setDraft] = useState(begin);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [{ fetching }, issue] = useMutation(IssueInvoice);
  // One key for all tries with one draft: whatever is lost on the way, it is issued once.
  const idempotencyKey = useRef(crypto.randomUUID());
  const summary = useRef<HTMLDivElement>(null);
  const faults = refused?.faults ?? [];

  const change = (part: Partial<Draft>) => {
    idempotencyKey.current = crypto.randomUUID();
    setDraft((before) => ({ ...before, ...part }));
  };
  const changeLines = (lines: readonly Line[]) => {
    // What was refused is named by its place, which is another line's once one is removed.
    if (lines.length < draft.lines.length) setRefused(null);
    change({ lines });
  };
  useEffect(() => {
    if (refused !== null) summary.current?.focus();
  }, [refused]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const input = requestOf(draft, rectifies);
    const { data, error } = await issue({ input, idempotencyKey: idempotencyKey.current });
    // Issued it may be even if something that is asked for beside it cannot be read.
    if (data?.issueInvoice) onIssued(data.issueInvoice.id);
    else if (error !== undefined) setRefused(withTitles(refusalOf(error)));
  };

  return (
    <form onSubmit={send} noValidate>
      <Summary refused={refused} summary={summary} />
      {rectifies === null && <Recipient draft={draft} faults={faults} onChange={change} />}
      <Lines lines={draft.lines} faults={faults} onChange={changeLines} />
      <PreviewOf draft={draft} rectifies={rectifies} />
      <button type="submit" disabled={fetching}>
        {button}
      </button>
    </form>
  );
}

type RecipientProps = {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly onChange: (part: Partial<Draft>) => void;
};

function Recipient({ draft, faults, onChange }: RecipientProps) {
  const text = (path: string, label: string, name: 'name' | 'taxId' | 'line1' | 'postalCode' | 'city') => (
    <Input
      path={path}
      label={label}
      faults={faults}
      value={draft[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  return (
    <fieldset>
      <legend>Recipient</legend>
      <Select
        path="input.type"
        label="Type"
        faults={faults}
        value={draft.type}
        onChange={({ target }) => onChange({ type: target.value as Draft['type'] })}
      >
        <option value="complete">Complete invoice</option>
        <option value="simplified">Simplified (no recipient)</option>
      </Select>
      {draft.type === 'complete' && (
        <div className="columns">
          {text('input.recipient.name', 'Name', 'name')}
          {text('input.recipient.taxId', 'NIF', 'taxId')}
          {text('input.recipient.address.line1', 'Address', 'line1')}
          {text('input.recipient.address.postalCode', 'Postal code', 'postalCode')}
          {text('input.recipient.address.city', 'City', 'city')}
        </div>
      )}
    </fieldset>
  );
}

type LinesProps = {
  readonly lines: readonly Line[];
  readonly faults: readonly Fault[];
  readonly onChange: (lines: readonly Line[]) => void;
};

function Lines({ lines, faults, onChange }: LinesProps) {
  // Lines that are corrected may be taxed otherwise than the form offers.
  const others = lines.map(({ tax }) => tax).filter((tax) => !VAT.includes(tax));
  const taxes = [...VAT, ...new Map(others.map((tax) => [nameOf(tax), tax])).values()];
  const addLine = () => {
    const { tax, isGross } = lines.at(-1) ?? aLine();
    onChange([...lines, aLine({ tax, isGross })]);
  };
  return (
    <Group path="input.lineItems" label="Lines" faults={faults}>
      {lines.map((line, index) => (
        <LineFields
          key={line.key}
          line={line}
          path={`input.lineItems[${index}]`}
          taxes={taxes}
          faults={faults}
          onChange={(part) =>
            onChange(lines.map((other) => (other.key === line.key ? { ...other, ...part } : other)))
          }
          onRemove={lines.length > 1 ? () => onChange(lines.filter(({ key }) => key !== line.key)) : null}
        />
      ))}
      <button type="button" className="quiet" onClick={addLine}>
        Add a line
      </button>
    </Group>
  );
}

const nameOf = ({ type, rate }: Tax) => `${type} ${rate}`;

type LineProps = {
  readonly line: Line;
  readonly taxes: readonly Tax[];
  readonly path: string;
  readonly faults: readonly Fault[];
  readonly onChange: (part: Partial<Line>) => void;
  readonly onRemove: (() => void) | null;
};

function LineFields({ line, taxes, path, faults, onChange, onRemove }: LineProps) {
  const number = (name: 'quantity' | 'price', field: string, label: string) => (
    <Input
      path={`${path}.${field}`}
      label={label}
      faults={faults}
      inputMode="decimal"
      value={line[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  return (
    <div className="line">
      <Input
        path={`${path}.description`}
        label="Description"
        faults={faults}
        value={line.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      {number('quantity', 'quantity', 'Quantity')}
      {number('price', 'unitAmount', line.isGross ? 'Unit price with tax (€)' : 'Unit price (€)')}
      <Select
        path={`${path}.taxItems[0].rate`}
        label="VAT"
        faults={faults}
        value={nameOf(line.tax)}
        onChange={({ target }) => onChange({ tax: taxes[target.selectedIndex] ?? line.tax })}
      >
        {taxes.map((tax) => (
          <option key={nameOf(tax)} value={nameOf(tax)}>
            {tax.name}
          </option>
        ))}
      </Select>
      {onRemove !== null && (
        <button
          type="button"
          className="quiet remove"
          aria-label={`Remove ${line.description || 'this line'}`}
          onClick={onRemove}
        >
          Remove
        </button>
      )}
    </div>
  );
}

/** Numbers have two fields in the request, of which the form has one. */
const fieldOf = (path: string) => path.replace(/(quantity|unitAmount)Decimal$/, '$1');

function withTitles({ message, faults }: ReturnType<typeof refusalOf>): Refused {
  const named = faults.map((fault) => ({ ...fault, field: fieldOf(fault.field) }));
  return { message, faults: named.map((fault) => ({ ...fault, title: titleOf(fault.field) })) };
}

/** The field of a path, or what it is a part of. */
function nearest(path: string): HTMLElement | null {
  const found = document.getElementById(path);
  const end = path.search(/(\.\w+|\[\d+\])$/);
  return found !== null || end < 0 ? found : nearest(path.slice(0, end));
}

/** What the form calls the field of a path: nobody who fills it in knows paths. */
function titleOf(path: string): string {
  const field = nearest(path);
  const label = field instanceof HTMLFieldSetElement ? field.querySelector('legend') : labelOf(field);
  const line = /lineItems\[(\d+)\]/.exec(field?.id ?? '')?.[1];
  const title = label?.textContent ?? path;
  return line === undefined ? title : `${title} of line ${Number(line) + 1}`;
}

function labelOf(field: HTMLElement | null): HTMLLabelElement | undefined {
  const isInput = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isInput ? field.labels?.[0] : undefined;
}

/** Why it was refused, and a way to each field that is concerned. */
function Summary({
  refused,
  summary,
}: {
  refused: Refused | null;
  summary: RefObject<HTMLDivElement | null>;
}) {
  if (refused === null) return null;
  return (
    <div className="trouble" role="alert" tabIndex={-1} ref={summary}>
      <p>{refused.faults.length === 0 ? refused.message : 'The invoice was not issued.'}</p>
      <ul>
        {refused.faults.map(({ field, title, message }) => (
          <li key={`${field} ${message}`}>
            <button type="button" className="link" onClick={() => nearest(field)?.focus()}>
              {title}
            </button>
            {` ${message}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A key may ask some sixty times a minute: nothing is asked while somebody types. */
const PAUSE_MS = 600;

/** What it would come to, by the service's own rounding. */
function PreviewOf({ draft, rectifies }: { draft: Draft; rectifies: Rectifies | null }) {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  // Whom it goes to does not change the sums: before all of that is typed, it is asked as if nobody were named.
  const { name, taxId, line1, postalCode, city } = settled;
  const isOpen =
    rectifies === null && [name, taxId, line1, postalCode, city].some((text) => text.trim() === '');
  const asked: Draft = isOpen ? { ...settled, type: 'simplified' } : settled;
  const [{ data, error }] = useQuery({
    query: Preview,
    variables: { input: requestOf(asked, rectifies) },
    pause: !isComplete(settled),
  });
  const preview = error === undefined && isComplete(settled) ? data?.validateInvoice : null;
  return (
    <dl className="sums" aria-label="Preview">
      {preview?.taxBreakdown.map(({ name, base, amount }) => (
        <div key={name}>
          <dt>{`${name} of ${euros(base)}`}</dt>
          <dd>{euros(amount)}</dd>
        </div>
      ))}
      <div className="total">
        <dt>Total</dt>
        <dd>{preview ? euros(preview.total) : '—'}</dd>
      </div>
    </dl>
  );
}
