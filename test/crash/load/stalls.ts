// When the runtime stands still, as on a busy machine, the response to a mail may come later than the
// worker waits for it. The mail is then sent again with its key, by which a provider drops the copy.

/** Epoch ms. */
export type Stall = { readonly from: number; readonly until: number };

/** The time (epoch ms) from the beginning of a restart to its end. */
type Restart = { readonly at: number; readonly until: number };

/** An answer that takes so long (ms) is a stall. The worker waits longer for a mail's response. */
const STALL_MS = 5_000;

/** How long before a stall a mail may have been sent whose response it delays (ms). */
const WAITING_MS = 15_000;

const PAUSE_MS = 100;

/** Asks the runtime for an answer again and again, and records when there was none. */
export function watchStalls(ask: () => Promise<unknown>) {
  const stalls: Stall[] = [];
  const watch = { isStopped: false };
  const watching = (async () => {
    while (!watch.isStopped) {
      const from = Date.now();
      await ask().catch(() => null);
      const until = Date.now();
      if (until - from >= STALL_MS) stalls.push({ from, until });
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  })();
  const stop = async () => {
    watch.isStopped = true;
    await watching;
  };
  return { stalls: stalls as readonly Stall[], stop };
}

/** Whether the runtime did not answer because it was killed and started again. */
export function isRestart({ from, until }: Stall, kills: readonly Restart[]): boolean {
  return kills.some((kill) => from <= kill.until && until >= kill.at);
}

/** Whether a mail that was accepted at `at` (epoch ms) had its response delayed by a stall. */
export function isAround(at: number, stalls: readonly Stall[]): boolean {
  return stalls.some(({ from, until }) => at >= from - WAITING_MS && at <= until);
}
