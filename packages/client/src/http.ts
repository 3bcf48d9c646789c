import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { paths } from './schema.ts';
import type { Answer, Transport } from './transport.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Operation = { readonly parameters: object; readonly responses: object };
type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends Operation ? Path : never;
}[keyof paths];
type OperationAt<Path extends keyof paths, M extends Method> = Extract<paths[Path][M], Operation>;

type Optionally<Name extends string, Value> = object extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

/** What goes along with a request: parameters and body as the endpoint takes them. */
type Init<Asked extends Operation> = Optionally<'params', Omit<Asked['parameters'], 'cookie'>> &
  (Asked extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { readonly body: Body }
    : unknown) & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
    /** What is not JSON is had as text or as a stream. */
    readonly parseAs?: 'json' | 'text' | 'stream';
  };

type Success<Asked extends Operation> = Extract<keyof Asked['responses'], 200 | 201 | 202 | 204>;
type Json<Asked extends Operation> = Asked['responses'][Success<Asked>] extends {
  content: { 'application/json': infer Body };
}
  ? Body
  : undefined;
type Data<Asked extends Operation, Given> = Given extends { readonly parseAs: 'text' }
  ? string
  : Given extends { readonly parseAs: 'stream' }
    ? ReadableStream<Uint8Array<ArrayBuffer>>
    : Json<Asked>;

type Call<M extends Method> = <Path extends PathsWith<M>, Given extends Init<OperationAt<Path, M>>>(
  path: Path,
  ...init: object extends Init<OperationAt<Path, M>> ? [init?: Given] : [init: Given]
) => Promise<{ readonly data: Data<OperationAt<Path, M>, Given>; readonly response: Response }>;

/** Every endpoint by its path, typed by the OpenAPI document. What is refused is thrown. */
export type Http = {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
};

/** What a call brings, whatever its endpoint. */
type Given = {
  readonly params?: {
    readonly path?: Record<string, unknown>;
    readonly query?: Record<string, unknown>;
    readonly header?: Readonly<Record<string, unknown>>;
  };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly parseAs?: Parsed;
};

/**
 * Of openapi-fetch only what writes parameters into an address: its client makes two sets of headers and a `Request` for
 * each call, and reads answers that the transport has read.
 */
export function httpOver(transport: Transport): Http {
  const { baseUrl, authorization } = transport;
  const querySerializer = createQuerySerializer();
  const calling = (method: Uppercase<Method>) => {
    return async (path: string, { params = {}, body, headers, signal, parseAs }: Given = {}) => {
      const to = { baseUrl, params, querySerializer, pathSerializer: defaultPathSerializer };
      const sent: Record<string, string> = { authorization };
      if (body !== undefined) sent['content-type'] = 'application/json';
      addTo(sent, params.header);
      addTo(sent, headers);
      const url = createFinalURL(path, to);
      const text = body === undefined ? null : JSON.stringify(body);
      const answer = await transport.send({ url, method, headers: sent, body: text, signal });
      const data = dataOf(answer, parseAs);
      return { data: data instanceof Promise ? await data : data, response: answer.response };
    };
  };
  const calls = {
    GET: calling('GET'),
    POST: calling('POST'),
    PUT: calling('PUT'),
    PATCH: calling('PATCH'),
    DELETE: calling('DELETE'),
  };
  // What a call brings and gets is declared by the OpenAPI document.
  return calls as unknown as Http;
}

/** Names of headers are the same in any case. */
function addTo(headers: Record<string, string>, more: Readonly<Record<string, unknown>> = {}): void {
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) headers[name.toLowerCase()] = String(value);
  }
}

type Parsed = 'json' | 'text' | 'stream' | undefined;

function dataOf({ response, json }: Answer, parseAs: Parsed): unknown {
  if (response.status === 204) return undefined;
  if (json === null) return parseAs === 'stream' ? response.body : response.text();
  if (parseAs === 'stream') return new Response(json.text).body;
  return parseAs === 'text' ? json.text : json.body;
}
