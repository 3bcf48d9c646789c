import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { Branding, SetBranding } from '../documents-settings.ts';
import { refusalOf } from '../errors.ts';
import { t, words } from '../language.ts';
import { Input, Select } from './field.tsx';
import { type Refused, withTitles } from './refusal.tsx';
import { Trouble } from './trouble.tsx';

const LANGUAGES = ['es', 'ca', 'eu', 'gl', 'en'] as const;

/** How documents look: their language, colour and logo. */
export function BrandingSettings() {
  const [{ data, error }, retry] = useQuery({ query: Branding });
  const [{ fetching, data: saved }, save] = useMutation(SetBranding);
  const [refused, setRefused] = useState<Refused | null>(null);
  const branding = data?.companyBranding;
  if (error !== undefined) return <Trouble error={error} onRetry={retry} />;
  if (branding == null) return <p>{t('Loading…')}</p>;
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const file = typed.get('input.logo');
    const accentColour = String(typed.get('input.accentColour')).trim();
    const { error: fault } = await save({
      input: {
        reason: 'dashboard',
        language: LANGUAGES.find((each) => each === typed.get('input.language')) ?? 'es',
        ...(accentColour === '' ? {} : { accentColour }),
        ...(file instanceof File && file.size > 0 ? { logo: await logoOf(file) } : {}),
      },
    });
    setRefused(fault === undefined ? null : withTitles(refusalOf(fault)));
  };
  const faults = refused?.faults ?? [];
  return (
    <section aria-labelledby="branding">
      <h2 id="branding">{t('Look of the documents')}</h2>
      {refused !== null && (
        <p className="trouble" role="alert">
          {refused.message}
        </p>
      )}
      <form onSubmit={send} noValidate>
        <div className="columns">
          <Select
            path="input.language"
            label={t('Language of the document')}
            faults={faults}
            defaultValue={branding.language}
          >
            {LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {words(language)}
              </option>
            ))}
          </Select>
          <Input
            path="input.accentColour"
            label={t('Colour')}
            faults={faults}
            placeholder="#0f766e"
            defaultValue={branding.accentColour ?? ''}
          />
          <Input
            path="input.logo"
            label={t('Logo (PNG or JPEG)')}
            faults={faults}
            type="file"
            accept="image/png,image/jpeg"
          />
        </div>
        {branding.logo != null && (
          <img
            className="logo"
            alt={t('Logo')}
            src={`data:image/${branding.logo.type};base64,${branding.logo.content}`}
          />
        )}
        <p className="actions">
          <button type="submit" disabled={fetching}>
            {t('Save')}
          </button>
          {saved?.setCompanyBranding != null && refused === null && <span role="status">{t('Saved.')}</span>}
        </p>
      </form>
    </section>
  );
}

async function logoOf(file: File) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const content = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return { content, type: file.type === 'image/png' ? ('png' as const) : ('jpeg' as const) };
}
