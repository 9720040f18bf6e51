// Timeouts for promises, so that a call that never settles does not block everything behind it.

/** The work's result; null if it is not done within `ms`. The work itself continues. */
export async function resultWithin<Result>(
  ms: number,
  work: Promise<Result>,
): Promise<{ readonly result: Result } | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((expire) => {
    timer = setTimeout(() => expire(null), ms);
  });
  try {
    return await Promise.race([work.then((result) => ({ result })), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The work's result. Throws if it is not done within `ms`; the work itself continues. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const done = await resultWithin(ms, work);
  if (done === null) throw new Error(`not done within ${ms} ms`);
  return done.result;
}
