import { useSyncExternalStore } from 'react';

/** Where the page is: a path and what is chosen there, after the `#`, so that any server of files will do. */
export type Route = { readonly path: readonly string[]; readonly chosen: URLSearchParams };

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    subscribe,
    () => location.hash,
    () => '',
  );
  const [path = '', chosen = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    path: path.split('/').filter(Boolean),
    chosen: new URLSearchParams(chosen),
  };
}

export type Chosen = Readonly<Record<string, string | null | undefined>>;

/** The address of a page of ours; what is empty is left out. */
export function href(path: string, chosen: Chosen = {}): string {
  const set = Object.entries(chosen).filter((entry): entry is [string, string] => !!entry[1]);
  return `#/${path}${set.length === 0 ? '' : `?${new URLSearchParams(set)}`}`;
}

/** Goes there as by a link, or in the place of the page that is shown. */
export function go(path: string, chosen: Chosen = {}, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') location.hash = href(path, chosen);
  else location.replace(href(path, chosen));
}
