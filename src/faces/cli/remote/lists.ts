/** So many of a list that is read page by page, and whether there are more. */
export async function collectUpTo<Row>(
  max: number,
  list: AsyncIterable<Row>,
): Promise<{ readonly rows: Row[]; readonly hasMore: boolean }> {
  const rows: Row[] = [];
  for await (const row of list) {
    if (rows.length === max) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
}
