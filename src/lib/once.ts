/** Runs the work when it is first wanted and gives everybody what came of it; after a failure it is tried again. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= work().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}
