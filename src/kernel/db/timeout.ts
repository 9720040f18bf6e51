// Timeout for promises, so that a call that never settles does not block everything behind it.

/** Thrown when the timeout expires. */
export class TimedOut extends Error {}

/** The work's result, or throws `TimedOut` after `ms`; the work itself continues. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new TimedOut(`not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
