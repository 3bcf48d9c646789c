/** Rights that statements need to write, by table: `insert`, `delete` and `update(column)`. */
export type Rights = Map<string, Set<string>>;

const NAME = '[a-z_][a-z_0-9.]*';
const INSERT = new RegExp(`\\binsert\\s+into\\s+(${NAME})`, 'g');
/** `insertWithin(client, 'invoice_void', row)` (src/ground/db/rows.ts). */
const INSERT_WITHIN = new RegExp(`\\binsertwithin\\(\\w+,\\s*'(${NAME})'`, 'g');
const DELETE = new RegExp(`\\bdelete\\s+from\\s+(${NAME})`, 'g');
const UPDATE = new RegExp(`\\bupdate\\s+(${NAME})(?:\\s+(?:as\\s+)?(?!set\\b)[a-z_]+)?\\s+set\\s+`, 'g');
/** Up to the next statement that inserts. */
const UPSERT = new RegExp(
  `\\binsert\\s+into\\s+(${NAME})(?:(?!\\binsert\\s+into\\b)[\\s\\S])*?\\bdo\\s+update\\s+set\\s+`,
  'g',
);

/**
 * Adds what the statements in a text need, SQL itself or a module that holds some. A column that is put together of other
 * texts stands as `update(…)` with what names it there.
 */
export function addWrittenRights(source: string, rights: Rights): void {
  const text = source.toLowerCase().replaceAll('"', '');
  const add = (table: string, right: string) => {
    const name = table.includes('.') ? table : `public.${table}`;
    rights.set(name, (rights.get(name) ?? new Set()).add(right));
  };
  for (const [, table] of text.matchAll(INSERT)) add(table!, 'insert');
  for (const [, table] of text.matchAll(INSERT_WITHIN)) add(table!, 'insert');
  for (const [, table] of text.matchAll(DELETE)) add(table!, 'delete');
  for (const found of [...text.matchAll(UPDATE), ...text.matchAll(UPSERT)]) {
    for (const column of columnsSet(text.slice(found.index + found[0].length)))
      add(found[1]!, `update(${column})`);
  }
}

/** The columns of a list of assignments at which a text begins. */
function columnsSet(text: string): string[] {
  return assignments(text).flatMap((assignment) => {
    const [target = ''] = assignment.split('=');
    return target
      .trim()
      .replace(/^\(([\s\S]*)\)$/, '$1')
      .split(',')
      .map((column) => column.trim());
  });
}

const END = /^(?:\s(?:where|from|returning)\b|[`;])/i;

/** Cut at the commas that stand outside of brackets, up to where the list ends. */
function assignments(text: string): string[] {
  const found = [''];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && END.test(text.slice(at, at + 12)))) break;
    if (depth === 0 && character === ',') found.push('');
    else found[found.length - 1] += character;
  }
  return found;
}
