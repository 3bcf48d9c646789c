import type { CombinedError } from '@urql/core';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { CreateWebhook, DeleteWebhook, PingWebhook, UpdateWebhook, Webhooks } from '../documents-settings.ts';
import { t } from '../language.ts';
import { Input } from './field.tsx';
import { Status } from './status.tsx';
import { Trouble } from './trouble.tsx';

type Answer = Promise<{ error?: CombinedError | undefined }>;

/** Addresses that are told of events. */
export function WebhookSettings() {
  const [{ data, error }, retry] = useQuery({ query: Webhooks });
  const [refused, setRefused] = useState<CombinedError>();
  const [{ data: created }, create] = useMutation(CreateWebhook);
  const [, update] = useMutation(UpdateWebhook);
  const [, ping] = useMutation(PingWebhook);
  const [, remove] = useMutation(DeleteWebhook);
  const run = async (answer: Answer) => setRefused((await answer).error);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('input.url'));
    void run(create({ input: { url, eventTypes: ['*'] } }));
  };
  const endpoints = (data?.webhookEndpoints?.edges ?? []).flatMap(({ node }) =>
    node === null ? [] : [node],
  );
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">{t('Webhooks')}</h2>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {refused !== undefined && <Trouble error={refused} onRetry={() => setRefused(undefined)} />}
      {created?.createWebhookEndpoint != null && (
        <p role="status">
          {t('Its secret is shown only now:')} <code>{created.createWebhookEndpoint.secret}</code>
        </p>
      )}
      <ul className="family">
        {endpoints.map(({ id, url, eventTypes, status, disabledReason }) => (
          <li key={id}>
            <strong>{url}</strong>
            <span>{eventTypes.includes('*') ? t('all events') : eventTypes.join(', ')}</span>
            <Status status="issued" registration={status} />
            {disabledReason !== null && <span>{disabledReason}</span>}
            <button type="button" className="link" onClick={() => run(ping({ id }))}>
              {t('Send a test to {url}', { url })}
            </button>
            {status === 'disabled' && (
              <button
                type="button"
                className="link"
                onClick={() => run(update({ id, input: { status: 'active' } }))}
              >
                {t('Enable {url}', { url })}
              </button>
            )}
            <button type="button" className="link" onClick={() => run(remove({ id }))}>
              {t('Delete {name}', { name: url })}
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <Input path="input.url" label={t('Address (URL)')} faults={[]} type="url" required />
        <p className="actions">
          <button type="submit" className="quiet">
            {t('Add an endpoint')}
          </button>
        </p>
      </form>
    </section>
  );
}
