import { type SubscriptionForwarder, subscriptionExchange } from '@urql/core';
import { createEventSource } from 'eventsource-client';
import { openSession } from './session.ts';

/**
 * Subscriptions over server-sent events. A connection that breaks is opened again with the id of the last message, so
 * nothing is missed; one that ends because the token is over goes on with the next token.
 */
const forwardSubscription: SubscriptionForwarder = (body) => ({
  subscribe(sink) {
    let fresh = false;
    const source = createEventSource({
      url: new URL('graphql', location.href),
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      fetch: async (_url, init) => {
        const { graphqlUrl, token } = await openSession({ fresh });
        const headers = { ...init?.headers, Authorization: `Bearer ${token}` };
        const answer = await fetch(graphqlUrl, { ...init, headers } as RequestInit);
        fresh = answer.status === 401;
        // Whatever is no stream is tried again after a while, as a broken connection is.
        if (!answer.ok) throw new Error(`live updates were refused: ${answer.status}`);
        return answer;
      },
      onMessage({ event, data }) {
        if (event === 'complete') fresh = true;
        if (event !== 'next') return;
        const result = JSON.parse(data);
        // Without data it says why the connection ends: the next one begins with another token.
        if (result.data) sink.next(result);
      },
    });
    return { unsubscribe: () => source.close() };
  },
});

export const liveExchange = subscriptionExchange({ forwardSubscription });
