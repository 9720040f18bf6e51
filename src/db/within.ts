// An end to waiting: a call that never ends must not keep everything behind it waiting.

/**
 * The work's result, or a throw once it has taken `ms`. The work itself goes on; what comes of it is nobody's any more.
 */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
