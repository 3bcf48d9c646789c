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

/**
 * Does the work for all who ask: one at a time, and whoever asks while it is under way shares the next. Every answer
 * was begun after its question, and nothing is remembered.
 */
export function together<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const begun = work();
    underWay = begun;
    const done = () => {
      if (underWay === begun) underWay = null;
    };
    begun.then(done, done);
    return begun;
  };
  return () => {
    if (underWay === null) return begin();
    next ??= underWay
      .catch(() => {})
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
