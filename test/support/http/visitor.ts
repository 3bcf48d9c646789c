import { mustNotBeLogged, noteBody } from '../processes/run-log.ts';

/** A browser's share of a visit, without the browser: addresses, cookies, forms. Redirects are not followed. */
export class Visitor {
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;
  /** A page with a form, available to the visitor. */
  readonly home: string;

  constructor(origin: string, headers: Record<string, string> = {}, home = '/portal') {
    this.origin = origin;
    this.headers = headers;
    this.home = home;
  }

  async request(method: string, path: string, body?: string, type = 'application/x-www-form-urlencoded') {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.origin), {
      method,
      redirect: 'manual',
      headers: {
        ...this.headers,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
      mustNotBeLogged('cookie', value);
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status, headers } = response;
    return { status, headers, bytes, text: bytes.toString('utf8'), location: headers.get('location') };
  }

  get(path: string) {
    return this.request('GET', path);
  }

  /** Sends a form as the pages' own do, with the token that they carry unless another is given. */
  async post(path: string, fields: Record<string, string>) {
    const token = fields['token'] ?? (await this.token());
    noteBody({ ...fields, token });
    return this.request('POST', path, new URLSearchParams({ ...fields, token }).toString());
  }

  async token(): Promise<string> {
    const { text } = await this.get(this.home);
    return /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  /** Follows a link and stays in. */
  async enter(link: string): Promise<this> {
    const { status } = await this.get(link);
    if (status !== 303) throw new Error(`the link does not open: ${status}`);
    return this;
  }
}
