import { useEffect } from 'react';

/** Names the page in the tab, in the history, and to readers of the screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
