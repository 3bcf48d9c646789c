import type { Fault } from '../errors.ts';
import { t } from '../language.ts';
import { aLine, type Line } from './draft.ts';
import { Group, Input, Select } from './field.tsx';
import { More } from './more.tsx';
import { choiceOf, type TaxChoice, treatmentName, useTaxChoices } from './tax-choices.ts';

type LinesProps = {
  readonly lines: readonly Line[];
  readonly faults: readonly Fault[];
  /** The numbers of the invoices of which each line corrects one, by their ids. */
  readonly originals: ReadonlyMap<string, string>;
  readonly onChange: (lines: readonly Line[]) => void;
};

/** No line names an invoice that it corrects. */
export const NO_ORIGINALS: LinesProps['originals'] = new Map();

export function LineFields({ lines, faults, originals, onChange }: LinesProps) {
  const choices = useTaxChoices();
  const addLine = () => {
    const { tax, isGross, corrects } = lines.at(-1) ?? aLine();
    onChange([...lines, aLine({ tax, isGross, corrects })]);
  };
  return (
    <Group path="input.lineItems" label={t('Lines')} faults={faults}>
      {lines.map((line, index) => (
        <OneLine
          key={line.key}
          line={line}
          path={`input.lineItems[${index}]`}
          choices={choices}
          faults={faults}
          originals={originals}
          onChange={(part) =>
            onChange(lines.map((other) => (other.key === line.key ? { ...other, ...part } : other)))
          }
          onRemove={lines.length > 1 ? () => onChange(lines.filter(({ key }) => key !== line.key)) : null}
        />
      ))}
      <button type="button" className="quiet" onClick={addLine}>
        {t('Add a line')}
      </button>
    </Group>
  );
}

type LineProps = Omit<LinesProps, 'lines' | 'onChange'> & {
  readonly line: Line;
  readonly choices: readonly TaxChoice[];
  readonly path: string;
  readonly onChange: (part: Partial<Line>) => void;
  readonly onRemove: (() => void) | null;
};

function OneLine(props: LineProps) {
  const { line, path, faults, originals, onChange, onRemove } = props;
  const typed = (name: 'description' | 'quantity' | 'price', field: string, label: string) => (
    <Input
      path={`${path}.${field}`}
      label={label}
      faults={faults}
      {...(name === 'description' ? {} : { inputMode: 'decimal' })}
      value={line[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  return (
    <div className="line">
      {typed('description', 'description', t('Description'))}
      {typed('quantity', 'quantity', t('Quantity'))}
      {typed('price', 'unitAmount', line.isGross ? t('Unit price with tax (€)') : t('Unit price (€)'))}
      <TaxField {...props} />
      {onRemove !== null && (
        <button
          type="button"
          className="quiet remove"
          aria-label={t('Remove {line}', { line: line.description || t('this line') })}
          onClick={onRemove}
        >
          {t('Remove')}
        </button>
      )}
      {originals.size > 0 && (
        <Select
          path={`${path}.rectifiesInvoiceId`}
          label={t('Corrects')}
          faults={faults}
          value={line.corrects}
          onChange={({ target }) => onChange({ corrects: target.value })}
        >
          {[...originals].map(([id, number]) => (
            <option key={id} value={id}>
              {number}
            </option>
          ))}
        </Select>
      )}
      <MoreOfLine {...props} />
    </div>
  );
}

function TaxField({ line, choices, path, faults, onChange }: LineProps) {
  const chosen = choiceOf(choices, line.tax);
  const offered = choices.includes(chosen) ? choices : [...choices, chosen];
  return (
    <div>
      <Select
        path={`${path}.taxItems[0].${chosen.isAnyRate ? 'type' : 'rate'}`}
        label={t('Tax')}
        faults={faults}
        value={chosen.name}
        onChange={({ target }) => onChange({ tax: offered[target.selectedIndex]?.tax ?? line.tax })}
      >
        {offered.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      {chosen.isAnyRate && (
        <Input
          path={`${path}.taxItems[0].rate`}
          label={t('Rate (%)')}
          faults={faults}
          inputMode="decimal"
          value={line.tax.rate}
          onChange={({ target }) => onChange({ tax: { ...line.tax, rate: target.value } })}
        />
      )}
    </div>
  );
}

function MoreOfLine({ line, choices, path, faults, onChange }: LineProps) {
  const { treatments } = choiceOf(choices, line.tax);
  const chosen = treatmentName(line.tax.treatment);
  return (
    <More
      label={t('More on the line')}
      isUsed={line.sku !== '' || line.unit !== '' || chosen !== ''}
      paths={[
        `${path}.sku`,
        `${path}.unit`,
        `${path}.taxItems[0].regimeKey`,
        `${path}.taxItems[0].exemption`,
      ]}
      faults={faults}
    >
      {(['sku', 'unit'] as const).map((name) => (
        <Input
          key={name}
          path={`${path}.${name}`}
          label={name === 'sku' ? t('Article number') : t('Unit (UN/ECE)')}
          faults={faults}
          value={line[name]}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      ))}
      <Select
        path={`${path}.taxItems[0].regimeKey`}
        label={t('Classified as')}
        faults={faults}
        value={chosen}
        onChange={({ target }) => {
          const treatment = treatments.find((each) => treatmentName(each) === target.value) ?? {};
          onChange({ tax: { ...line.tax, treatment } });
        }}
      >
        <option value="">{t('as usual')}</option>
        {[...new Set([...treatments.map(treatmentName), ...(chosen === '' ? [] : [chosen])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <label className="choice">
        <input
          type="checkbox"
          checked={line.isGross}
          onChange={({ target }) => onChange({ isGross: target.checked })}
        />
        {t('The price includes the tax')}
      </label>
    </More>
  );
}
