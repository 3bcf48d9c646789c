import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Day, madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { type Html, html } from '../web/html.ts';
import type { Action, CompanyScope, Confirmation, OperatorContext } from './page.ts';
import { stored } from './query.ts';
import { say } from './words.ts';

/** Which company a page is of, for pages among a company's tabs. */

const COMPANY = stored('query ConsoleWhose($id: ID!) { company(id: $id) { id legalName nif } }');

export function companyMissing(): Refusal {
  return new Refusal('not_found', 'There is no company with this id.');
}

/** The company named in the page's path as `:companyId`, or of another id. */
export async function companyScopeOf(
  context: OperatorContext,
  companyId = context.param('companyId'),
): Promise<Outcome<CompanyScope>> {
  const found = await COMPANY(context, { id: companyId });
  if (isRefusal(found)) return found;
  if (found.company === null) return companyMissing();
  const { id, legalName, nif } = found.company;
  return { companyId: id, legalName, nif };
}

/** What is asked before something is done to a company. */
export function askedOf(said: Omit<Confirmation, 'companyScope' | 'back'>): Action['prepare'] {
  return async (context) => {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    return { ...said, companyScope, back: `/companies/${companyScope.companyId}` };
  };
}

/** The environment that the address names; live when it names none. */
export function environmentNamed(context: OperatorContext): 'test' | 'live' {
  return context.query('environment') === 'test' ? 'test' : 'live';
}

const TIME = stored(
  'query ConsoleTime($companyId: ID!) { testClock(companyId: $companyId, environment: test) { now } }',
);

/** Today in Madrid by the environment's own time: a test environment may have a clock that is ahead. */
export async function todayIn(
  context: OperatorContext,
  { companyId, environment }: { readonly companyId: string; readonly environment: 'test' | 'live' },
): Promise<Outcome<Day>> {
  if (environment === 'live') return madridDay(clock.now());
  const found = await TIME(context, { companyId });
  return isRefusal(found) ? found : madridDay(new Date(found.testClock!.now));
}

/** The environments to choose from in a form that only reads. */
export const environmentChoices = (): readonly (readonly ['live' | 'test', string])[] => [
  ['live', say('Live')],
  ['test', say('Test')],
];

/** The way from one environment of a list to the other. */
export function environmentSwitch(address: string, current: 'test' | 'live'): Html {
  const link = (environment: 'test' | 'live', name: string) =>
    html`<a href="${address}?environment=${environment}"${environment === current && html` aria-current="page"`}>${name}</a>`;
  return html`<nav class="switch" aria-label="${say('Environment')}">${link('live', say('Live'))}${link('test', say('Test'))}</nav>`;
}
