/** The parts of an error that may be logged. */
type LoggableError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggableError;
  readonly [fact: string]: unknown;
};

/** Properties of system, Postgres and Prisma errors that name a place or a kind, never a value. */
const FACTS = ['code', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

/** Nested causes beyond this number add no information. */
const DEEPEST = 4;

/** A message is a line or two; a longer one repeats its input. */
const LONGEST_MESSAGE = 300;

/**
 * An error as it is logged: its kind, message, stack and causes, without data that libraries add: Postgres' `detail` quotes
 * rows, and Prisma's `meta` and message quote arguments.
 */
export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something other than an error was thrown' };
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

/** The message is in `message`; the head of a stack would repeat it unredacted. */
function framesOf(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

/** SQLSTATE class 22, data exception: Postgres quotes the value that does not fit. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

function withoutValues(error: Error, message: string): string {
  const code: unknown = Reflect.get(error, 'code');
  // Parsers quote what they cannot parse, and so does Postgres.
  const quotes = error instanceof SyntaxError || (typeof code === 'string' && DATA_EXCEPTION.test(code));
  // Prisma's message begins with the call and all its arguments; the last line has the cause.
  const text = error.name.startsWith('PrismaClient') ? (message.trim().split('\n').at(-1) ?? '') : message;
  const bare = quotes ? text.replace(/["'«].*["'»]/s, '[value]') : text;
  return bare.length > LONGEST_MESSAGE ? `${bare.slice(0, LONGEST_MESSAGE)}…` : bare;
}
