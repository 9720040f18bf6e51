// Timeout for promises, so that a call that never settles does not block everything behind it.

/** Thrown when the timeout expires. */
export class TooLate extends Error {}

/**
 * Returns the work's result, or throws `TooLate` after `ms`. The work itself continues; its result
 * is ignored.
 */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new TooLate(`not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
