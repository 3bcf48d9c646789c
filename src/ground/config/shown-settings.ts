import { z } from 'zod';
import { about } from './about-setting.ts';
import { settings } from './settings.ts';

/**
 * The settings as a stranger may see them: the value of one that is a number or one of a few words, and of every other only whether it
 * is set, since addresses, names and secrets are texts.
 */
export function shownSettings(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => {
      const value = variables[name] || undefined;
      const isSecret = about.get(schema)?.secret === true;
      const isSet = value !== undefined || (isSecret && Boolean(variables[`${name}_FILE`]));
      if (!isSet) return [name, 'not set'];
      return [name, !isSecret && isPlain(schema, value!) ? value! : 'set'];
    }),
  );
}

function isPlain(schema: z.ZodType, value: string): boolean {
  const { type, enum: words } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  if (words !== undefined) return words.includes(value);
  return type === 'integer' && /^\d{1,9}$/.test(value);
}
