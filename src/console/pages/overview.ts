import { html } from '../../web/html.ts';
import type { Shown, Visit } from '../page.ts';

export async function overview(_visit: Visit): Promise<Shown> {
  return { title: 'Overview', body: html`<h1>Overview</h1>` };
}
