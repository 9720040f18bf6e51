// An end to waiting: a call that never ends must not keep everything behind it waiting.

/** The time was over before the work was done. */
export class TooLate extends Error {}

/**
 * The work's result, or a `TooLate` once it has taken `ms`. The work itself goes on; what comes of it is nobody's any more.
 */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new TooLate(`not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
