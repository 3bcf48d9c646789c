import { t } from '../language.ts';
import { href } from '../route.ts';

/** The way back to where a page belongs, by what that is called. */
export function Back({ to, children }: { to: string; children: string }) {
  return (
    <nav aria-label={t('Breadcrumb')}>
      <a href={href(to)}>{`‹ ${children}`}</a>
    </nav>
  );
}
