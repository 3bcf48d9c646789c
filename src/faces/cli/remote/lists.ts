/** So many of a list that is read page by page, and whether there are more. */
export async function collectUpTo<Row>(
  most: number,
  list: AsyncIterable<Row>,
): Promise<{ readonly rows: Row[]; readonly hasMore: boolean }> {
  const rows: Row[] = [];
  for await (const row of list) {
    if (rows.length === most) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
}
