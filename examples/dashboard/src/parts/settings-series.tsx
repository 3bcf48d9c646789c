import type { CombinedError } from '@urql/core';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { CreateSeries, DeleteSeries, Series, SetDefaultSeries } from '../documents-settings.ts';
import { t, words } from '../language.ts';
import { Input, Select } from './field.tsx';
import { Trouble } from './trouble.tsx';

type Answer = Promise<{ error?: CombinedError | undefined }>;

/** How invoices are numbered. */
export function SeriesSettings() {
  const [{ data, error }, retry] = useQuery({ query: Series });
  const [refused, setRefused] = useState<CombinedError>();
  const [, create] = useMutation(CreateSeries);
  const [, remove] = useMutation(DeleteSeries);
  const [, setDefault] = useMutation(SetDefaultSeries);
  const run = async (answer: Answer) => setRefused((await answer).error);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const type = typed.get('input.type') === 'rectifying' ? 'rectifying' : 'standard';
    void run(create({ input: { prefix: String(typed.get('input.prefix')), type } }));
  };
  const series = (data?.numberSeries?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node]));
  return (
    <section aria-labelledby="series">
      <h2 id="series">{t('Series')}</h2>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {refused !== undefined && <Trouble error={refused} onRetry={() => setRefused(undefined)} />}
      <ul className="family">
        {series.map(({ id, prefix, type, yearly, isDefault, imported }) => (
          <li key={id}>
            <strong>{prefix}</strong>
            <span>{[words(type), yearly ? t('yearly') : null].filter(Boolean).join(', ')}</span>
            {isDefault && <span className="mark good">{t('used unless another is named')}</span>}
            {!isDefault && !imported && (
              <>
                <button type="button" className="link" onClick={() => run(setDefault({ id }))}>
                  {t('Use {series} by default', { series: prefix })}
                </button>
                <button type="button" className="link" onClick={() => run(remove({ id }))}>
                  {t('Delete {name}', { name: prefix })}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <div className="columns">
          <Input path="input.prefix" label={t('Prefix')} faults={[]} required maxLength={20} />
          <Select path="input.type" label={t('Used for')} faults={[]}>
            <option value="standard">{words('standard')}</option>
            <option value="rectifying">{words('rectifying')}</option>
          </Select>
        </div>
        <p className="actions">
          <button type="submit" className="quiet">
            {t('Add a series')}
          </button>
        </p>
      </form>
    </section>
  );
}
