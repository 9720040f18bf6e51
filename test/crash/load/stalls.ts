// When the runtime stands still, as on a busy machine, the response to a mail may come later than the
// worker waits for it. The mail is then sent again with its key, by which a provider drops the copy.
import type { Taken } from "./provider.ts";

/** Epoch ms. */
export type Stall = { readonly from: number; readonly until: number };

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

/** The share of mails that may be sent again because the runtime stood still. */
const SENT_AGAIN = 0.01;

/** Sentences about more mails sent again than stalls explain. `all`: with those, `taken`: without. */
export function tooManyStalled(all: readonly Taken[], taken: readonly Taken[]): string[] {
  const sentAgain = all.length - taken.length;
  if (sentAgain <= Math.max(1, all.length * SENT_AGAIN)) return [];
  return [`${sentAgain} mails were sent again while the runtime stood still`];
}

/** The mails without those that were accepted around a stall and sent again. */
export function withoutStalled(taken: readonly Taken[], stalls: readonly Stall[]): Taken[] {
  const isAround = ({ at }: Taken) =>
    stalls.some(({ from, until }) => at >= from - WAITING_MS && at <= until);
  return taken.filter(
    (mail, i) =>
      !isAround(mail) ||
      taken.slice(i + 1).every(({ notificationId }) => notificationId !== mail.notificationId),
  );
}
