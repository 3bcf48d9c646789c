import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Streams } from '../output.ts';

/** Serves one client over standard input and output, until it has closed its side and has all its answers. */
export async function serveStdio(server: McpServer, { stdin, stdout }: Streams): Promise<void> {
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable);
  await server.connect(transport);
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const open = new Set<string | number>();
  let ended = false;
  const check = (): void => {
    if (ended && open.size === 0) end();
  };
  const take = transport.onmessage;
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id);
    take?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message) && message.id !== undefined) open.delete(message.id);
    check();
  };
  stdin.once('end', () => {
    ended = true;
    check();
  });
  transport.onclose = () => end();
  await over;
  await server.close();
}
