import type { Action, Page } from './page.ts';
import { overview } from './pages/overview.ts';

/** Where a page can be found: in the menu, or among the tabs of a company (with `:companyId` in its path). */
type Place = { readonly menu?: string; readonly tab?: string };

/** Every page, one a line, in the order of the menu and of the tabs. */
export const pages: readonly (readonly [path: string, page: Page, place?: Place])[] = [
  ['/', overview, { menu: 'Overview' }],
];

/** Everything that can be done, one a line: each is a page with a form that asks for a reason. */
export const actions: readonly (readonly [path: string, action: Action])[] = [];
