import { bodyOf, type CallOptions, requestInit } from './calls.ts';
import type { Http } from './http.ts';
import type { components } from './schema.ts';

export type TestClock = components['schemas']['TestClock'];
export type TestClockRequest = components['schemas']['TestClockRequest'];

/** The time of a test environment. */
export class TestClocks {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  retrieve(options?: CallOptions): Promise<TestClock> {
    return bodyOf(this.#http.GET('/v1/test_clock', requestInit(options)));
  }

  /** Has it go forward; look with `retrieve` until its `status` is `ready`. */
  advance(body: TestClockRequest, options?: CallOptions): Promise<TestClock> {
    return bodyOf(this.#http.POST('/v1/test_clock', { body, ...requestInit(options) }));
  }

  /** Back to the real time. */
  async remove(options?: CallOptions): Promise<void> {
    await this.#http.DELETE('/v1/test_clock', requestInit(options));
  }
}
