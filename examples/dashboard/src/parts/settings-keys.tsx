import { type FormEvent, useEffect, useState } from 'react';
import { onDay } from '../format.ts';
import { t, words } from '../language.ts';
import { askKeys } from '../session.ts';
import { Input } from './field.tsx';

const SCOPES = ['read', 'issue', 'correct', 'manage'] as const;

type Shown = {
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly prefix: string;
    readonly scopes: readonly string[];
    readonly createdAt: string;
  }[];
  readonly created: string | null;
};

/** Keys of the environment, which the page's server shows, makes and revokes for an owner. */
export function Keys() {
  const [shown, setShown] = useState<Shown>();
  const [failed, setFailed] = useState(false);
  const ask = async (change: object) => {
    const answer = await askKeys<Shown>(change).catch(() => null);
    setFailed(answer === null);
    if (answer !== null) setShown(answer);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page is opened
  useEffect(() => void ask({}), []);
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    void ask({ create: typed.get('key-name'), scopes: typed.getAll('scopes') });
  };
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">{t('Keys')}</h2>
      {failed && (
        <p className="trouble" role="alert">
          {t('This was refused. A key may do no more than the one that makes it.')}
        </p>
      )}
      {shown?.created != null && (
        <p role="status">
          {t('The new key is shown only now:')} <code>{shown.created}</code>
        </p>
      )}
      <ul className="family">
        {shown?.keys.map(({ id, name, prefix, scopes, createdAt }) => (
          <li key={id}>
            <strong>{name}</strong>
            <code>{`${prefix}…`}</code>
            <span>{scopes.map(words).join(', ')}</span>
            <span>{onDay(createdAt)}</span>
            <button type="button" className="link" onClick={() => ask({ revoke: id })}>
              {t('Revoke {name}', { name: `${name} ${prefix}` })}
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={create}>
        <div className="columns">
          <Input path="key-name" label={t('Name of the key')} faults={[]} required maxLength={100} />
          <fieldset className="scopes">
            <legend>{t('What it may do')}</legend>
            {SCOPES.map((scope) => (
              <label className="choice" key={scope}>
                <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'read'} />
                {words(scope)}
              </label>
            ))}
          </fieldset>
        </div>
        <p className="actions">
          <button type="submit" className="quiet">
            {t('Make a key')}
          </button>
        </p>
      </form>
    </section>
  );
}
