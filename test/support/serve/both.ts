// Events that a sender sends to a primary and its standby, and how often people were paged for them by either.
import { type Pair, sendEvent } from "./standby.ts";

const ATTEMPTS = 3;
const PAUSE_MS = 700;
/** How long a sender waits for an answer (ms). */
const PATIENCE_MS = 3_000;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Sends an event to both addresses, each until it is accepted or there were enough attempts. Returns whether one accepted it. */
export async function sendToBoth(pair: Pair, title: string, integration: number): Promise<boolean> {
  const body = { event_type: "create", Id: title, Title: title };
  const send = async (url: string) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const answer = await sendEvent(pair, url, body, { integration, patienceMs: PATIENCE_MS });
      if (answer === 200) return true;
      await pause(PAUSE_MS);
    }
    return false;
  };
  const accepted = await Promise.all([send(pair.front.url), send(pair.standby.place.url)]);
  return accepted.includes(true);
}

/** How often each person of two layers was asked by either, by title and layer. Titles are as in `Round 1 2`. */
export function countPages(
  { primary, standby }: Pair,
  titles: readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>(
    titles.flatMap((title) => [0, 1].map((layer) => [`${title} ${layer}`, 0] as const)),
  );
  for (const { subject, to } of [...primary.mailbox.letters, ...standby.mailbox.letters]) {
    const [, title, layer] = /(\w+ \d+ \d+)\b.*\.(\d)@example/.exec(`${subject} ${to}`) ?? [];
    const key = `${title} ${layer}`;
    if (/\[HIGH\]/.test(subject) && counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
