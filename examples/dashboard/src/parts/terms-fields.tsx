import { useQuery } from 'urql';
import { Series } from '../documents-settings.ts';
import { t } from '../language.ts';
import { aKey, type Disbursement } from './draft.ts';
import { type DraftProps, fieldsOf, standard } from './draft-fields.tsx';
import { Input, Select } from './field.tsx';
import { More } from './more.tsx';

const MEANS = ['transfer', 'direct_debit', 'card', 'cash', 'other'];
const LANGUAGES = ['es', 'ca', 'eu', 'gl', 'en'];

/** When and how it is paid, what is withheld and paid in somebody's name, and what else is printed. */
export function TermsFields(props: DraftProps & { readonly isCorrection: boolean }) {
  const { draft, faults, isCorrection } = props;
  const { text, choice, check } = fieldsOf(props);
  const isUsed = (...typed: readonly string[]) => typed.some((one) => one !== '');
  return (
    <fieldset>
      <legend>{t('Terms')}</legend>
      <div className="columns">
        {text('input.dueDate', t('Due on'), 'dueDate', { type: 'date' })}
        {choice('input.payment.means', t('Paid by'), 'means', MEANS, t('not stated'))}
      </div>
      <More
        label={t('More on the payment')}
        isUsed={isUsed(draft.iban, draft.reference, draft.terms)}
        paths={['input.payment.iban', 'input.payment.reference', 'input.payment.terms']}
        faults={faults}
      >
        {text('input.payment.iban', t('IBAN'), 'iban')}
        {text('input.payment.reference', t('Payment reference'), 'reference')}
        {text('input.payment.terms', t('Terms of payment'), 'terms')}
      </More>
      <More
        label={t('Withholding, surcharge and disbursements')}
        isUsed={isUsed(draft.withholdingRate) || draft.hasSurcharge || draft.disbursements.length > 0}
        paths={['input.withholding', 'input.disbursements', 'input.recargoEquivalencia']}
        faults={faults}
      >
        {text('input.withholding.rate', t('IRPF withheld (%)'), 'withholdingRate', { inputMode: 'decimal' })}
        {text('input.withholding.base', t('Of the base (€)'), 'withholdingBase', {
          ...{ inputMode: 'decimal', placeholder: t('the subtotal') },
        })}
        {check(t('Equivalence surcharge'), 'hasSurcharge')}
        <Disbursements {...props} />
      </More>
      <More
        label={t('Days, series and texts')}
        isUsed={isUsed(draft.operationDate, draft.deliveryFrom, draft.numberSeriesId, draft.notes)}
        paths={[
          'input.operationDate',
          'input.delivery',
          'input.numberSeriesId',
          'input.notes',
          'input.references',
        ]}
        faults={faults}
      >
        {text('input.operationDate', t('Day of the operation'), 'operationDate', { type: 'date' })}
        {text('input.delivery.from', t('Delivered since'), 'deliveryFrom', { type: 'date' })}
        {text('input.delivery.to', t('Delivered until'), 'deliveryTo', { type: 'date' })}
        <SeriesChoice {...props} isCorrection={isCorrection} />
        {choice('input.language', t('Language of the document'), 'language', LANGUAGES, standard())}
        {text('input.references.purchaseOrder', t('Purchase order'), 'purchaseOrder')}
        {text('input.notes', t('Notes'), 'notes')}
      </More>
      <More
        label={t('Totals in another currency too')}
        isUsed={isUsed(draft.currency)}
        paths={['input.displayCurrency']}
        faults={faults}
      >
        {text('input.displayCurrency.code', t('Currency'), 'currency', { placeholder: 'USD', maxLength: 3 })}
        {text('input.displayCurrency.rate', t('Units for one euro'), 'currencyRate', {
          inputMode: 'decimal',
        })}
        {text('input.displayCurrency.source', t('Whose rate, of which day'), 'currencySource')}
      </More>
    </fieldset>
  );
}

function SeriesChoice({ draft, faults, onChange, isCorrection }: DraftProps & { isCorrection: boolean }) {
  const [{ data }] = useQuery({ query: Series });
  const type = isCorrection ? 'rectifying' : 'standard';
  const series = (data?.numberSeries?.edges ?? []).flatMap(({ node }) =>
    node === null || node.type !== type || node.imported ? [] : [node],
  );
  return (
    <Select
      path="input.numberSeriesId"
      label={t('Series')}
      faults={faults}
      value={draft.numberSeriesId}
      onChange={({ target }) => onChange({ numberSeriesId: target.value })}
    >
      <option value="">{standard()}</option>
      {series.map(({ id, prefix }) => (
        <option key={id} value={id}>
          {prefix}
        </option>
      ))}
    </Select>
  );
}

/** What was paid in the customer's name: no part of the total. */
function Disbursements({ draft: { disbursements }, faults, onChange }: DraftProps) {
  const change = (key: number, part: Partial<Disbursement>) =>
    onChange({
      disbursements: disbursements.map((each) => (each.key === key ? { ...each, ...part } : each)),
    });
  const add = () => {
    const empty = { key: aKey(), description: '', amount: '', reference: '' };
    onChange({ disbursements: [...disbursements, empty] });
  };
  return (
    <div className="disbursements">
      {disbursements.map(({ key, description, amount, reference }, index) => {
        const field = (name: string, label: string, value: string) => (
          <Input
            path={`input.disbursements[${index}].${name}`}
            label={label}
            faults={faults}
            value={value}
            onChange={({ target }) => change(key, { [name]: target.value })}
          />
        );
        return (
          <div className="columns" key={key}>
            {field('description', t('Paid in their stead'), description)}
            {field('amount', t('Amount (€)'), amount)}
            {field('reference', t('Document'), reference)}
            <button
              type="button"
              className="quiet remove"
              onClick={() => onChange({ disbursements: disbursements.filter((each) => each.key !== key) })}
            >
              {t('Remove the disbursement')}
            </button>
          </div>
        );
      })}
      <button type="button" className="quiet" onClick={add}>
        {t('Add a disbursement')}
      </button>
    </div>
  );
}
