import { useRef } from 'react';

/** One key for all tries with one request: whatever is lost on the way, it is issued once. What is changed is another request. */
export function useIdempotencyKey(): (request: object) => string {
  const last = useRef({ request: '', key: '' });
  return (request) => {
    const text = JSON.stringify(request);
    if (last.current.request !== text) last.current = { request: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
