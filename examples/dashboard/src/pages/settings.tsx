import { t } from '../language.ts';
import { BrandingSettings } from '../parts/settings-branding.tsx';
import { Keys } from '../parts/settings-keys.tsx';
import { SeriesSettings } from '../parts/settings-series.tsx';
import { WebhookSettings } from '../parts/settings-webhooks.tsx';
import { useTitle } from '../parts/title.ts';

/** How documents look, how they are numbered, who may ask, and who is told. */
export function SettingsPage() {
  useTitle(t('Settings'));
  return (
    <>
      <h1>{t('Settings')}</h1>
      <BrandingSettings />
      <SeriesSettings />
      <Keys />
      <WebhookSettings />
    </>
  );
}
