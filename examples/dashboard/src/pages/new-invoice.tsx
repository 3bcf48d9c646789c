import { useState } from 'react';
import { useMutation } from 'urql';
import { CreateDraft, CreateSchedule } from '../documents-drafts.ts';
import { t, words } from '../language.ts';
import { type Draft, emptyDraft } from '../parts/draft.ts';
import { Input, Select } from '../parts/field.tsx';
import { InvoiceForm } from '../parts/invoice-form.tsx';
import { requestOf } from '../parts/request.ts';
import { useTitle } from '../parts/title.ts';
import { go, href } from '../route.ts';

const FREQUENCIES = ['monthly', 'quarterly', 'yearly'] as const;
type Repeated = { readonly frequency: string; readonly startsOn: string; readonly endsOn: string };

/** Issues an invoice now, keeps it as a draft, or has it issued again and again. */
export function NewInvoicePage() {
  const [begin] = useState(emptyDraft);
  const [repeated, setRepeated] = useState<Repeated>({ frequency: '', startsOn: '', endsOn: '' });
  const [, create] = useMutation(CreateDraft);
  const [, schedule] = useMutation(CreateSchedule);
  useTitle(t('New invoice'));
  const keep = async (draft: Draft) => {
    const { data, error } = await create({ input: { invoice: requestOf(draft, null) } });
    if (data?.createInvoiceDraft) go(`drafts/${data.createInvoiceDraft.id}`);
    return error;
  };
  const repeat = async (draft: Draft) => {
    const frequency = repeated.frequency as (typeof FREQUENCIES)[number];
    const ends = repeated.endsOn === '' ? {} : { endsOn: repeated.endsOn };
    const input = { invoice: requestOf(draft, null), frequency, startsOn: repeated.startsOn, ...ends };
    const { data, error } = await schedule({ input });
    if (data?.createInvoiceSchedule) go('schedules');
    return error;
  };
  const day = (name: 'startsOn' | 'endsOn', label: string) => (
    <Input
      path={`input.${name}`}
      label={label}
      faults={[]}
      type="date"
      value={repeated[name]}
      onChange={({ target }) => setRepeated({ ...repeated, [name]: target.value })}
    />
  );
  return (
    <>
      <h1>{t('New invoice')}</h1>
      <p className="actions">
        <a href={href('correct', { external: '1' })}>{t('Correct an invoice of another system')}</a>
        <a href={href('correct')}>{t('Volume discount')}</a>
      </p>
      <fieldset>
        <legend>{t('Repeat')}</legend>
        <div className="columns">
          <Select
            path="input.frequency"
            label={t('How often')}
            faults={[]}
            value={repeated.frequency}
            onChange={({ target }) => setRepeated({ ...repeated, frequency: target.value })}
          >
            <option value="">{t('once')}</option>
            {FREQUENCIES.map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </Select>
          {repeated.frequency !== '' && day('startsOn', t('First on'))}
          {repeated.frequency !== '' && day('endsOn', t('Last on'))}
        </div>
      </fieldset>
      <InvoiceForm
        begin={begin}
        rectifies={null}
        button={repeated.frequency === '' ? t('Issue the invoice') : t('Schedule it')}
        onIssued={(id) => go(`invoices/${id}`)}
        {...(repeated.frequency === '' ? {} : { issueBy: repeat })}
        actions={repeated.frequency === '' ? [{ label: t('Save as a draft'), run: keep }] : []}
      />
    </>
  );
}
