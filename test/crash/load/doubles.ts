// Which mails were sent twice, and why.
import type { Taken } from "./provider.ts";
import { isAround, isRestart, type Stall } from "./stalls.ts";

/** The minimum lease (ms): a second mail that comes sooner was not caused by a kill. */
const MIN_LEASE_MS = 15_000;

/**
 * A kill: when its restart began and had ended (ms since the epoch), and the notifications stored as
 * sent by then.
 */
export type Kill = {
  readonly at: number;
  readonly until: number;
  readonly recorded: ReadonlySet<string>;
};

/** The share of mails that may be sent again because the runtime stood still: with more, a run proves little. */
const SENT_AGAIN = 0.01;

/** A sentence about too many mails that were sent again while the runtime stood still. */
function tooMany(sentAgain: number, mails: number): string[] {
  if (sentAgain <= Math.max(1, mails * SENT_AGAIN)) return [];
  return [`${sentAgain} mails were sent again while the runtime stood still`];
}

/**
 * Mails that were sent twice: in the window of a kill, before the provider's response was stored,
 * while the runtime stood still, or unexplained. How long storing a response takes does not matter:
 * what the kill left tells.
 */
export function findDoubles(
  taken: readonly Taken[],
  kills: readonly Kill[],
  stalls: readonly Stall[],
) {
  const real = stalls.filter((it) => !isRestart(it, kills));
  let [inWindow, stalled] = [0, 0];
  const unexplained: string[] = [];
  for (const [id, copies] of Map.groupBy(taken, (it) => it.notificationId)) {
    for (const [i, { at }] of copies.slice(0, -1).entries()) {
      const next = copies[i + 1]?.at ?? at;
      const kill = kills.find((it) => it.at >= at && it.at <= next);
      if (kill?.recorded.has(id)) {
        unexplained.push(`mail ${id} was sent again, though it was stored as sent before the kill`);
      } else if (kill !== undefined && next - at >= MIN_LEASE_MS) inWindow += 1;
      else if (isAround(at, real)) stalled += 1;
      else {
        const why = kill === undefined ? "though nothing died" : "within its lease";
        unexplained.push(`mail ${id} was sent again after ${next - at} ms, ${why}`);
      }
    }
  }
  return { inWindow, stalled, unexplained: [...unexplained, ...tooMany(stalled, taken.length)] };
}
