/** Does something and measures, in milliseconds, the longest time in which nothing else could be done meanwhile. */
export async function gapsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly answer: T; readonly longestGap: number }> {
  let last = performance.now();
  let longestGap = 0;
  const look = (): void => {
    const now = performance.now();
    longestGap = Math.max(longestGap, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  try {
    const answer = await work();
    look();
    return { answer, longestGap };
  } finally {
    clearInterval(timer);
  }
}
