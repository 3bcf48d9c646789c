/** What of an error may be read by whoever reads logs. */
type LoggableError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggableError;
  readonly [fact: string]: unknown;
};

/** Facts of system, Postgres and Prisma errors that name a place or a kind, never a value. */
const FACTS = ['code', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

/** Causes of causes beyond this tell nothing more. */
const DEEPEST = 4;

/** A message is one line or two; whatever is longer repeats what it was given. */
const LONGEST_MESSAGE = 300;

/**
 * An error as the log keeps it: its kind, its words, where it was thrown, and its causes. Not what libraries add of the
 * data that they failed on: Postgres' `detail` quotes rows, Prisma's `meta` and message quote arguments.
 */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error was thrown' };
  const { name, message, stack, cause } = error;
  const facts = Object.fromEntries(
    FACTS.flatMap((fact) => {
      const value: unknown = Reflect.get(error, fact);
      return typeof value === 'string' || typeof value === 'number' ? [[fact, value]] : [];
    }),
  );
  const frames = framesOf(stack);
  return {
    type: name === 'Error' ? error.constructor.name : name,
    message: withoutValues(error, message),
    ...facts,
    ...(frames === '' ? {} : { stack: frames }),
    ...(cause instanceof Error && depth < DEEPEST ? { cause: loggableError(cause, depth + 1) } : {}),
  };
}

/** The message stands in `message`, and at the head of a stack it would stand once more, as it was. */
function framesOf(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

/** SQLSTATE class 22, data exception: Postgres repeats the value that does not fit. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

function withoutValues(error: Error, message: string): string {
  const code: unknown = Reflect.get(error, 'code');
  // What does not parse is quoted by the parser; so is what Postgres cannot read.
  const quotes = error instanceof SyntaxError || (typeof code === 'string' && DATA_EXCEPTION.test(code));
  // Prisma begins with the call and all its arguments, and says what is wrong in the last line.
  const said = error.name.startsWith('PrismaClient') ? (message.trim().split('\n').at(-1) ?? '') : message;
  const bare = quotes ? said.replace(/["'«].*["'»]/s, '[value]') : said;
  return bare.length > LONGEST_MESSAGE ? `${bare.slice(0, LONGEST_MESSAGE)}…` : bare;
}
