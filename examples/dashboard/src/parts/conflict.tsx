import { euros, wholeCents } from '../format.ts';
import { type Text, t } from '../language.ts';
import { type Draft, TEXTS, type TextName } from './draft.ts';

type Props = {
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
};

/** What the form calls the texts that two people are likely to change at once; others are called as the request calls them. */
const LABELS: Readonly<Partial<Record<TextName, Text>>> = {
  ...{ name: 'Name', companyName: 'Company', taxId: 'NIF', email: 'E-mail', line1: 'Address' },
  ...{ postalCode: 'Postal code', city: 'City', country: 'Country', dueDate: 'Due on', notes: 'Notes' },
  ...{ means: 'Paid by', operationDate: 'Day of the operation', purchaseOrder: 'Purchase order' },
  ...{ withholdingRate: 'IRPF withheld (%)', numberSeriesId: 'Series', iban: 'IBAN' },
};

/** The lines in words, each as it is read in the form. */
const linesIn = ({ lines }: Draft) =>
  lines
    .map(({ description, quantity, price, tax }) => {
      const cents = wholeCents(price);
      return `${quantity} × ${description}, ${cents === null ? price : euros(cents)} + ${tax.rate} %`;
    })
    .join('; ');

function differences(mine: Draft, theirs: Draft) {
  const texts = TEXTS.map((name) => {
    const label = LABELS[name];
    return [label === undefined ? name : t(label), mine[name], theirs[name]] as const;
  });
  const lines = [t('Lines'), linesIn(mine), linesIn(theirs)] as const;
  return [...texts, lines].filter(([, own, other]) => own !== other);
}

/** Two editors have changed one draft: says what they differ in, and lets the second one decide. */
export function Conflict({ mine, theirs, onTakeTheirs, onKeepMine }: Props) {
  return (
    <section role="alert" className="conflict" aria-labelledby="conflict">
      <h2 id="conflict">{t('Somebody else has changed this draft meanwhile')}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            <th scope="col">{t('Yours')}</th>
            <th scope="col">{t('Theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {differences(mine, theirs).map(([name, own, other]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{own || '—'}</td>
              <td>{other || '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="actions">
        <button type="button" onClick={onTakeTheirs}>
          {t('Take theirs')}
        </button>
        <button type="button" className="quiet" onClick={onKeepMine}>
          {t('Keep yours, in the place of theirs')}
        </button>
      </p>
    </section>
  );
}
