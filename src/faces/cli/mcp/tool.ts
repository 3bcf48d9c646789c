import type { LacreClient } from '@lacre/client';
import { z } from 'zod';
import type { Profile } from '../remote/profiles.ts';

/** What tools work with. */
export type ToolContext = {
  readonly client: LacreClient;
  readonly profile: Profile;
  /**
   * Whether it may be written: asks a person where it is live, and states what may become of it (that it cannot be undone,
   * unless `then` states otherwise). Throws `NotAllowed`.
   */
  readonly allow: (effect: string, then?: string) => Promise<void>;
};

/** A change that was not made because it was not confirmed. */
export class NotAllowed extends Error {}

/** A tool as agents see it. Its description states when it is the right one, and what its figures are. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  /** Whether it issues or keeps something. */
  readonly writes: boolean;
  readonly run: (context: ToolContext, input: unknown) => Promise<object>;
};

/** A tool, whose `run` is given what its schema lets through. */
export function tool<const Shape extends z.ZodRawShape>(
  definition: Omit<Tool, 'input' | 'run' | 'writes'> & {
    readonly input: Shape;
    readonly writes?: boolean;
    readonly run: (context: ToolContext, input: z.output<z.ZodObject<Shape>>) => Promise<object>;
  },
): Tool {
  const { input, run } = definition;
  const schema = z.object(input);
  return { writes: false, ...definition, run: (context, input) => run(context, schema.parse(input)) };
}
