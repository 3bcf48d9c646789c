const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/** The names that an object of a JSON text has more than once, at any depth; `JSON.parse` keeps the last and says nothing. */
export function duplicateKeys(json: string): string[] {
  const found: string[] = [];
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1);
      if (names?.has(last)) found.push(last);
      names?.add(last);
    }
    last = token;
  }
  return found;
}
