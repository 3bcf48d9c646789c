import { type Language, setLanguage, useLanguage } from '../language.ts';

const NAMES: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['es', 'Español'],
];

/** Each language under its own name. */
export function LanguageChoice() {
  const language = useLanguage();
  return (
    <span className="languages">
      {NAMES.map(([code, name]) => (
        <button
          type="button"
          className="link"
          key={code}
          lang={code}
          aria-pressed={code === language}
          onClick={() => setLanguage(code)}
        >
          {name}
        </button>
      ))}
    </span>
  );
}
