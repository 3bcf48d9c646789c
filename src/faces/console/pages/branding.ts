import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Html, html } from '../../web/html.ts';
import { BRANDING, LANGUAGES } from '../branding.ts';
import { companyMissing, companyScopeOf, environmentNamed, environmentSwitch } from '../company.ts';
import { facts } from '../components.ts';
import { number } from '../format.ts';
import type { OperatorContext, PageContent } from '../page.ts';
import { say } from '../words.ts';

/** How the documents of an environment of a company look. */
export async function branding(context: OperatorContext): Promise<Outcome<PageContent>> {
  const companyScope = await companyScopeOf(context);
  if (isRefusal(companyScope)) return companyScope;
  const environment = environmentNamed(context);
  const address = `${context.root}/companies/${companyScope.companyId}/look`;
  const found = await BRANDING(context, { companyId: companyScope.companyId, environment });
  if (isRefusal(found)) return found;
  if (found.companyBranding === null) return companyMissing();
  const { language, accentColour, textColour, logo } = found.companyBranding;
  const body = html`<h1>${say('Documents')}</h1>
<p class="lead">${say('The branding of the company’s invoices from now on. Documents already rendered do not change; legal mentions stay in Spanish beside the translation.')}</p>
${environmentSwitch(address, environment)}
<div class="card">${facts([
    ['Language', LANGUAGES.find(([code]) => code === language)?.[1].text ?? language],
    [
      'Accent colour',
      accentColour === null ? say('our own') : html`${swatch(accentColour)} <code>${accentColour}</code>`,
    ],
    ['Text colour', html`${swatch(textColour)} <code>${textColour}</code>`],
    [
      'Logo',
      logo === null
        ? say('none')
        : `${logo.type.toUpperCase()}, ${number(Math.round(logo.width))} × ${number(Math.round(logo.height))}`,
    ],
  ])}
<p class="ways"><a class="button small" href="${address}/change?environment=${environment}">${say('Change…')}</a></p></div>`;
  return { title: 'Documents', companyScope: { ...companyScope, environment }, body };
}

function swatch(colour: string): Html {
  return html`<svg class="swatch" width="16" height="16" aria-hidden="true"><rect width="16" height="16" rx="4" fill="${colour}"/></svg>`;
}
