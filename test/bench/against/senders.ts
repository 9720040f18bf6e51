// Sends events to several addresses at once, over one connection each, and counts the accepted.
import { Agent } from "node:http";
import { post } from "../storm/post.ts";

/** Where one integration takes events, and how it wants them. */
export type Intake = {
  readonly url: string;
  readonly bodyOf: (id: string, title: string) => string;
};

/** A service under comparison: its integrations, and when an event of a title reached a provider. */
export type Contestant = {
  readonly name: string;
  readonly intakes: readonly Intake[];
  /** Integrations whose times to a provider are measured; they may be the same ones. */
  readonly paging: readonly Intake[];
  /** The provider's calls so far: epoch ms by the title of the event. */
  readonly calls: () => Promise<ReadonlyMap<string, number>>;
};

/** A contestant that runs on this machine. */
export type Side = Contestant & {
  /** Waits until it has nothing left to do. */
  readonly settle: () => Promise<unknown>;
  /** The resident memory of all its processes (MB). */
  readonly memory: () => number;
};

/**
 * Sends `count` events over one connection per integration; returns how many a second were accepted.
 * Throws if one was not.
 *
 * @param idOf the `Id` of the event at this place
 */
export async function acceptedPerSecond(
  { name, intakes }: Contestant,
  count: number,
  idOf: (i: number) => string,
): Promise<number> {
  let sent = 0;
  const started = performance.now();
  await Promise.all(
    intakes.map(async ({ url, bodyOf }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let i = sent++; i < count; i = sent++) {
        const id = idOf(i);
        const { status } = await post(agent, url, bodyOf(id, `${id} fails`));
        if (status < 200 || status > 299) throw new Error(`${name} answered ${status}`);
      }
      agent.destroy();
    }),
  );
  return (count * 1_000) / (performance.now() - started);
}

/** How long provider calls are waited for (ms). */
const TIMEOUT_MS = 60_000;

/** Sends an event to each integration, at a steady pace; returns the times to the provider's call. */
export async function timesToProvider(
  { name, paging, calls }: Contestant,
  everyMs: number,
  run: string,
): Promise<number[]> {
  const sentAt = new Map<string, number>();
  for (const [i, { url, bodyOf }] of paging.entries()) {
    const title = `${run} page ${i}`;
    sentAt.set(title, Date.now());
    const agent = new Agent();
    await post(agent, url, bodyOf(`${run}-page-${i}`, title));
    await new Promise((done) => setTimeout(done, everyMs));
  }
  for (const started = Date.now(); ; await new Promise((done) => setTimeout(done, 500))) {
    const found = await calls();
    const times = [...sentAt].flatMap(([title, at]) => {
      const called = found.get(title);
      return called === undefined ? [] : [called - at];
    });
    if (times.length === sentAt.size) return times;
    if (Date.now() - started > TIMEOUT_MS) {
      throw new Error(`${name}: ${times.length} provider calls for ${sentAt.size} events`);
    }
  }
}
