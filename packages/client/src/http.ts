import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';
import { type Answer, type Outgoing, Outgoing as OutgoingRequest, type Transport } from './transport.ts';

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
    fetch: async (request) => {
      const answer = await transport.send(request as unknown as Outgoing);
      return Object.assign(answer.response, { [READ]: answer });
    },
  });
  const calling = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE') => {
    const ask = client[method] as unknown as (path: string, init: object) => Promise<{ response: Answered }>;
    return async (path: string, init?: { readonly parseAs?: Parsed }) => {
      // The transport has read what there is to read: it would be parsed a second time.
      const { response } = await ask(path, { ...init, parseAs: 'stream' });
      return { data: await dataOf(response[READ], init?.parseAs), response };
    };
  };
  const calls = {
    GET: calling('GET'),
    POST: calling('POST'),
    PATCH: calling('PATCH'),
    DELETE: calling('DELETE'),
  };
  // Its own types also speak of answers that are refusals, which the transport throws.
  return calls as unknown as Http;
}

/** What of an answer was read, on the answer itself: only that comes back through openapi-fetch. */
const READ = Symbol('read');
type Answered = Response & { readonly [READ]: Answer };

type Parsed = 'json' | 'text' | 'stream' | undefined;

function dataOf({ response, json }: Answer, parseAs: Parsed): unknown {
  if (response.status === 204) return undefined;
  if (json === null) return parseAs === 'stream' ? response.body : response.text();
  if (parseAs === 'stream') return new Response(json.text).body;
  return parseAs === 'text' ? json.text : json.body;
}
