import { isRefusal } from '../../../ground/errors/refusal.ts';
import { BRANDING, LANGUAGES } from '../branding.ts';
import { chosen } from '../choices.ts';
import { companyMissing, companyScopeOf, environmentNamed } from '../company.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';

const SET = stored(
  'mutation ConsoleSetBranding($input: SetCompanyBrandingInput!) { setCompanyBranding(input: $input) { language } }',
);

export const changeBranding: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const environment = environmentNamed(context);
    const found = await BRANDING(context, { companyId: companyScope.companyId, environment });
    if (isRefusal(found)) return found;
    if (found.companyBranding === null) return companyMissing();
    const { language, accentColour, logo } = found.companyBranding;
    return {
      title: 'Change the branding',
      companyScope: { ...companyScope, environment },
      lead: 'Applies to documents of this environment rendered from now on.',
      fields: [
        { name: 'language', label: 'Language', choices: LANGUAGES, value: language, width: 'half' },
        {
          ...({ name: 'accentColour', label: 'Accent colour', value: accentColour ?? '', max: 7 } as const),
          ...({
            hint: 'Such as #17365C. If empty, the default colour.',
            optional: true,
            width: 'half',
          } as const),
        },
        {
          ...({
            name: 'logo',
            label: 'Logo',
            kind: 'file',
            accept: '.png,.jpg,.jpeg,.svg',
            optional: true,
          } as const),
          hint: 'PNG or JPEG up to 256 KiB, SVG up to 64 KiB. Without a file, it stays unchanged.',
        },
        ...(logo === null
          ? []
          : [{ name: 'withoutLogo', label: 'Remove the logo' as const, kind: 'tick' as const }]),
      ],
      submit: 'Change it',
      back: `/companies/${companyScope.companyId}/look?environment=${environment}`,
    };
  },
  async perform(context, entries) {
    const content = entries('logo');
    const input = {
      companyId: context.param('companyId'),
      environment: environmentNamed(context),
      language: chosen(LANGUAGES, entries('language')),
      accentColour: entries('accentColour') || null,
      ...(content === '' ? {} : { logo: { type: typeOf(content), content } }),
      ...(entries('withoutLogo') === 'yes' ? { logo: null } : {}),
      reason: entries('reason'),
    };
    const done = await SET(context, { input });
    return isRefusal(done) ? done : { flash: 'The branding was changed.' };
  },
};

/** The type of a file in base64 by its first bytes; whether it is true is found out when it is read. */
function typeOf(content: string): 'png' | 'jpeg' | 'svg' {
  if (content.startsWith('iVBORw0KGgo')) return 'png';
  return content.startsWith('/9j/') ? 'jpeg' : 'svg';
}
