import { useState } from 'react';
import type { Fault } from '../errors.ts';
import { wholeCents } from '../format.ts';
import { t } from '../language.ts';
import { emptyDraft, type Rectifies } from './draft.ts';
import { Group, Input } from './field.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { MethodChoice } from './method-choice.tsx';
import { useTitle } from './title.ts';

const AT = 'input.rectifies.external';
const NOTHING = { number: '', issuedOn: '', operationDate: '', base: '', tax: '', surcharge: '' };
type Typed = Readonly<typeof NOTHING>;

/** Corrects an invoice, complete or simplified, of another system: by differences, or anew with the amounts that it had. */
export function OfAnotherSystem({ onIssued }: { onIssued: (id: string) => void }) {
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const [method, setMethod] = useState<Rectifies['method']>('differences');
  const [begin] = useState(emptyDraft);
  useTitle(t('Correct an invoice of another system'));
  const fields = (faults: readonly Fault[]) => (
    <ExternalFields
      {...{ typed, method, faults }}
      onMethod={setMethod}
      onChange={(part) => setTyped({ ...typed, ...part })}
    />
  );
  return (
    <>
      <h1>{t('Correct an invoice of another system')}</h1>
      <InvoiceForm
        {...{ begin, onIssued }}
        before={fields}
        rectifies={{ external: externalOf(typed, method), method, reason: 'correction' }}
        button={t('Issue the rectifying invoice')}
      />
    </>
  );
}

function externalOf(
  { number, issuedOn, operationDate, base, tax, surcharge }: Typed,
  method: Rectifies['method'],
) {
  return {
    ...{ number, issuedOn },
    ...(operationDate === '' ? {} : { operationDate }),
    // Without them it says what is missing, beside the fields.
    ...(method === 'differences' || (base === '' && tax === '')
      ? {}
      : {
          rectifiedAmounts: {
            ...{ base: wholeCents(base) ?? 0, tax: wholeCents(tax) ?? 0 },
            ...(surcharge === '' ? {} : { surcharge: wholeCents(surcharge) ?? 0 }),
          },
        }),
  };
}

type FieldsProps = {
  readonly typed: Typed;
  readonly method: Rectifies['method'];
  readonly faults: readonly Fault[];
  readonly onMethod: (method: Rectifies['method']) => void;
  readonly onChange: (part: Partial<Typed>) => void;
};

function ExternalFields({ typed, method, faults, onMethod, onChange }: FieldsProps) {
  const field = (name: keyof Typed, path: string, label: string, type: 'text' | 'date') => (
    <Input
      {...{ path, label, type, faults }}
      value={typed[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  const amount = (name: 'base' | 'tax' | 'surcharge', label: string) =>
    field(name, `${AT}.rectifiedAmounts.${name}`, label, 'text');
  return (
    <>
      <fieldset>
        <legend>{t('The invoice')}</legend>
        <div className="columns">
          {field('number', `${AT}.number`, t('Number'), 'text')}
          {field('issuedOn', `${AT}.issuedOn`, t('Issued on'), 'date')}
          {field('operationDate', `${AT}.operationDate`, t('Day of the operation'), 'date')}
        </div>
      </fieldset>
      <fieldset>
        <legend>{t('How')}</legend>
        <MethodChoice method={method} onChange={onMethod} />
      </fieldset>
      {method === 'substitution' && (
        <Group path={`${AT}.rectifiedAmounts`} label={t('The amounts that it had')} faults={faults}>
          <div className="columns">
            {amount('base', t('Base (€)'))}
            {amount('tax', t('Tax (€)'))}
            {amount('surcharge', t('Surcharge (€)'))}
          </div>
        </Group>
      )}
    </>
  );
}
