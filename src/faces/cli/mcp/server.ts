import { LacreError } from '@lacre/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Remote } from '../remote/profiles.ts';
import { READING_BY_CONTRACT } from './contract.ts';
import { DRAFTING } from './drafting.ts';
import { EXPLAINING } from './explaining.ts';
import { ISSUING } from './issuing.ts';
import { PAYING } from './paying.ts';
import { READING } from './reading.ts';
import { NotAllowed, type Tool, type ToolContext } from './tool.ts';

const TOOLS: readonly Tool[] = [
  ...ISSUING,
  ...DRAFTING,
  ...PAYING,
  ...READING,
  ...READING_BY_CONTRACT,
  ...EXPLAINING,
];

const INSTRUCTIONS =
  'Issues, corrects and looks up invoices under Spain’s VERI*FACTU regime. An issued invoice is a legal document: it is never edited, only corrected by a rectificativa. Amounts are whole cents, days are those of the company. Call whoami first; validate before you issue; never invent a tax id.';

/** A server of the Model Context Protocol for one client, which works with the key of a login. */
export function mcpServer({ client, profile }: Remote, allowLive: boolean): McpServer {
  const server = new McpServer({ name: 'lacre', version: '1' }, { instructions: INSTRUCTIONS });
  const allow = async (effect: string, then = 'It cannot be undone.'): Promise<void> => {
    const { company } = profile;
    if (profile.environment !== 'live') return;
    await confirmed(server, `Allow Lacre to ${effect}, live, for ${company}? ${then}`, allowLive);
  };
  const context: ToolContext = { client, profile, allow };
  for (const { name, title, description, input, writes, run } of TOOLS) {
    server.registerTool(
      name,
      {
        ...{ title, description, inputSchema: input },
        annotations: { readOnlyHint: !writes, destructiveHint: writes, openWorldHint: true },
      },
      (input: unknown) => answered(run(context, input)),
    );
  }
  return server;
}

/** Live environments are changed only if the server was started with permission, and the user confirms each change. */
async function confirmed({ server }: McpServer, message: string, allowLive: boolean): Promise<void> {
  if (!allowLive)
    throw new NotAllowed(
      'This key is live, and the server was started without --allow-live. Nothing was done.',
    );
  if (server.getClientCapabilities()?.elicitation === undefined)
    throw new NotAllowed(
      'This program does not support asking a person (elicitation), which a live key requires. Nothing was done.',
    );
  const { action, content } = await server.elicitInput({
    message,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Do it' } },
      required: ['confirm'],
    },
  });
  if (action !== 'accept' || content?.['confirm'] !== true)
    throw new NotAllowed('A person was asked and did not agree. Nothing was done.');
}

async function answered(result: Promise<object>): Promise<CallToolResult> {
  try {
    const found = await result;
    return { content: [textOf(found)], structuredContent: { ...found } };
  } catch (error) {
    if (error instanceof LacreError) {
      const { code, message: detail, errors, docUrl } = error;
      return { isError: true, content: [textOf({ code, detail, errors, doc_url: docUrl })] };
    }
    if (error instanceof NotAllowed)
      return { isError: true, content: [{ type: 'text', text: error.message }] };
    throw error;
  }
}

const textOf = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) });
