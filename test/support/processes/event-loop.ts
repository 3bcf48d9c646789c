/**
 * Does something and measures the longest time in which nothing else could be done meanwhile: in milliseconds of this
 * thread's processor time, so that what else the machine does is not measured.
 */
export async function gapsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly answer: T; readonly longestGap: number }> {
  let last = process.threadCpuUsage();
  let longestGap = 0;
  const sample = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longestGap = Math.max(longestGap, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(sample, 5);
  try {
    const answer = await work();
    sample();
    return { answer, longestGap };
  } finally {
    clearInterval(timer);
  }
}
