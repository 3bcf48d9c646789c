import { z } from 'zod';
import { about, call, collect, type Given, OPERATIONS, type Operation } from '../remote/operation.ts';
import type { Tool } from './tool.ts';

const limit = z.int().min(1).max(100).default(20).describe('The maximum number of results.');

/** Tools that read and pass on what they are given, made from the contract of REST. One that writes asks a person first. */
export const READING_BY_CONTRACT: readonly Tool[] = OPERATIONS.flatMap((operation) =>
  operation.tool === undefined ? [] : [toolOf(operation, operation.tool)],
);

function toolOf(operation: Operation, { name, rows, options = {} }: NonNullable<Operation['tool']>): Tool {
  const names = operation.options.map((option) => option.name);
  const known = (option: string) => options[option] ?? option.replace('[]', '');
  const input = {
    ...Object.fromEntries(
      operation.operands.map(({ name, description }) => [name, z.string().describe(description)]),
    ),
    ...Object.fromEntries(
      operation.options.map(({ name, schema, isRequired }) => {
        const value = z.fromJSONSchema(schema);
        return [known(name), isRequired ? value : value.optional()];
      }),
    ),
    ...(rows === undefined ? {} : { limit }),
  };
  const given = (input: Given): Given => ({
    ...input,
    ...Object.fromEntries(names.map((name) => [name, input[known(name)]])),
  });
  const schema = z.object(input);
  return {
    ...{ name, input, title: operation.summary, description: about(operation), writes: false },
    async run({ client }, sent) {
      const input: Given & { readonly limit?: unknown } = schema.parse(sent);
      if (rows === undefined) return (await call(client, operation, given(input))) as object;
      const found = await collect(client, operation, given(input), Number(input.limit));
      return { [rows]: found.rows, has_more: found.hasMore };
    },
  };
}
