import { type FormEvent, useState } from 'react';
import { t } from '../language.ts';
import { LanguageChoice } from '../parts/language-choice.tsx';
import { useTitle } from '../parts/title.ts';
import { signIn } from '../session.ts';

/** Asks for a name and a password. A team with an identity provider sends the browser there instead. */
export function LoginPage() {
  const [wrong, setWrong] = useState<string | null>(null);
  useTitle(t('Sign in'));
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const isIn = await signIn(String(typed.get('name')), String(typed.get('password'))).catch(() => null);
    if (isIn === true) return location.reload();
    setWrong(isIn === null ? t('This page has no connection to its server.') : t('Wrong name or password.'));
  };
  return (
    <main className="page login">
      <h1>{t('Sign in')}</h1>
      <form onSubmit={send}>
        {wrong !== null && (
          <p className="trouble" role="alert">
            {wrong}
          </p>
        )}
        <div className="field">
          <label htmlFor="name">{t('User')}</label>
          <input id="name" name="name" autoComplete="username" required />
        </div>
        <div className="field">
          <label htmlFor="password">{t('Password')}</label>
          <input id="password" name="password" type="password" autoComplete="current-password" required />
        </div>
        <button type="submit">{t('Sign in')}</button>
      </form>
      <LanguageChoice />
    </main>
  );
}
