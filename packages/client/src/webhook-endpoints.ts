import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import { List } from './list.ts';
import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
export type WebhookEndpointRequest = Schemas['WebhookEndpointRequest'];
export type WebhookEndpointChange = Schemas['WebhookEndpointChange'];
export type WebhookSecretRotation = Schemas['WebhookSecretRotation'];
export type WebhookReplayRequest = Schemas['WebhookReplayRequest'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
/** `limit` is how many are read at once. */
export type WebhookDeliveryFilter = Omit<
  NonNullable<operations['listWebhookDeliveries']['parameters']['query']>,
  'starting_after' | 'ending_before'
>;

/** Where events are posted to, and what became of that. */
export class WebhookEndpoints {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** The answer holds the secret, this once. It is not repeated when no answer came, because it would make a second one. */
  create(body: WebhookEndpointRequest, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return bodyOf(this.#http.POST('/v1/webhook_endpoints', { body, ...requestInit(options) }));
  }

  retrieve(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    const params = { path: { id } };
    return bodyOf(this.#http.GET('/v1/webhook_endpoints/{id}', { params, ...requestInit(options) }));
  }

  /** All of them: there are 20 at most. */
  async list(options?: CallOptions): Promise<readonly WebhookEndpoint[]> {
    return (await bodyOf(this.#http.GET('/v1/webhook_endpoints', requestInit(options)))).data;
  }

  update(id: string, body: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint> {
    const params = { path: { id } };
    return bodyOf(this.#http.PATCH('/v1/webhook_endpoints/{id}', { params, body, ...requestInit(options) }));
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#http.DELETE('/v1/webhook_endpoints/{id}', {
      params: { path: { id } },
      ...requestInit(options),
    });
  }

  rotateSecret(
    id: string,
    body: WebhookSecretRotation = {},
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    const init = { params: { path: { id } }, body, ...requestInit(options) };
    return bodyOf(this.#http.POST('/v1/webhook_endpoints/{id}/rotate_secret', init));
  }

  /** Has the event `ping` delivered. */
  ping(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    const init = { params: { path: { id } }, ...requestInit(options) };
    return bodyOf(this.#http.POST('/v1/webhook_endpoints/{id}/ping', init));
  }

  /** Delivers everything from a sequence or a time on once more. */
  replay(id: string, body: WebhookReplayRequest, options?: CallOptions): Promise<WebhookEndpoint> {
    const init = { params: { path: { id } }, body, ...requestInit(options) };
    return bodyOf(this.#http.POST('/v1/webhook_endpoints/{id}/replay', init));
  }

  deliveries(id: string, filter: WebhookDeliveryFilter = {}, options?: CallOptions): List<WebhookDelivery> {
    return new List((cursor) => {
      const query = { limit: 100, ...filter, ...(cursor === undefined ? {} : { starting_after: cursor }) };
      const init = { params: { path: { id }, query }, ...requestInit(options) };
      return bodyOf(this.#http.GET('/v1/webhook_endpoints/{id}/deliveries', init));
    });
  }

  /** Retries a delivery at once, even if it was delivered before. */
  redeliver(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    const init = { params: { path: { id: deliveryId } }, ...requestInit(options) };
    return bodyOf(this.#http.POST('/v1/webhook_deliveries/{id}/redeliver', init));
  }
}
