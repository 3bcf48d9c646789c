import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';
import { type Outgoing, Outgoing as OutgoingRequest, type Transport } from './transport.ts';

type Method = 'get' | 'post' | 'patch' | 'delete';
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
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
};

export function httpOver(transport: Transport): Http {
  const client = createClient<paths>({
    baseUrl: transport.baseUrl,
    headers: { authorization: transport.authorization },
    // It is given back to `fetch` alone, which is ours.
    Request: OutgoingRequest as unknown as typeof Request,
    fetch: (request) => transport.send(request as unknown as Outgoing),
  });
  // Its own types also speak of answers that are refusals, which the transport throws.
  return client as unknown as Http;
}
