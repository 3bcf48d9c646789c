import { codes } from '../../ground/errors/catalogue.ts';
import type { Language } from '../../ground/lib/language.ts';
import { ERRORS, wordsOf } from './errors-page.ts';
import type { Guide } from './guides.ts';
import { sectionsOf } from './markdown.ts';
import { operationsOfRest, REFERENCE } from './reference.ts';
import { folded, type Section } from './search.ts';
import { texts } from './texts.ts';

function section(address: string, page: string, heading: string, text: string): Section {
  const own = { page, heading, text };
  return {
    address,
    ...own,
    folded: { page: folded(page), heading: folded(heading), text: folded(text) },
  };
}

/** What can be searched for: the sections of the guides, the codes of errors, and the operations of REST. */
export function sectionsOfSite(guides: readonly Guide[], language: Language): Section[] {
  const { api, errors } = texts[language].pages;
  return [
    ...guides.flatMap(({ slug, title, summary, ...guide }) =>
      sectionsOf(guide).map(({ heading, text }) => {
        const anchor = heading === null ? '' : `#${heading.id}`;
        const content = heading === null ? `${summary} ${text}` : text;
        return section(`/${slug}${anchor}`, title, heading?.text ?? '', content);
      }),
    ),
    ...codes.map((code) =>
      section(`${ERRORS}#${code}`, errors.title, code, wordsOf(code, language).join(' ')),
    ),
    ...operationsOfRest(language).map(({ method, path, summary, anchor, text }) =>
      section(`${REFERENCE}#${anchor}`, api.title, summary, `${method} ${path} ${text}`),
    ),
  ];
}
