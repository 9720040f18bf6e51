// Chat products show an error unless they are answered within three seconds.

/** How long a response may wait for what it is about (ms). */
const MAX_WAIT_MS = 2_500;

/**
 * The response of the work, or `late` if the work takes too long; it then goes on after the response.
 */
export async function respondInTime(
  waitUntil: (work: Promise<unknown>) => void,
  work: Promise<Response>,
  late: () => Response,
): Promise<Response> {
  const controller = new AbortController();
  waitUntil(work.catch(() => {}));
  const timer = scheduler.wait(MAX_WAIT_MS, { signal: controller.signal }).then(late);
  // Cancelled below.
  timer.catch(() => {});
  try {
    return await Promise.race([work, timer]);
  } finally {
    controller.abort();
  }
}
