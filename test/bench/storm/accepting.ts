// Measures how long single requests wait for their answer while a storm drains.
import { Agent } from "node:http";
import { summary, type Times } from "../measure.ts";
import { post } from "./post.ts";

/** The pause between two requests (ms). */
const PACE_MS = 25;

/** A request that is repeated: its address and body. */
export type Probe = { readonly url: string; readonly body: string };

/**
 * Sends the probes in turn, at a steady pace, until `over` resolves; waits for all answers. Throws
 * unless all are 200.
 */
export async function probeUntil(
  over: Promise<unknown>,
  probes: readonly Probe[],
): Promise<readonly (Times & { readonly count: number })[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[][] = probes.map(() => []);
  const sent: Promise<void>[] = [];
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  over.then(end, end);
  for (let i = 0; !isOver; i = (i + 1) % probes.length) {
    const { url, body } = probes[i] as Probe;
    const started = performance.now();
    const answered = post(agent, url, body).then(({ status }) => {
      if (status !== 200) throw new Error(`a request in a storm was answered ${status}`);
      times[i]?.push(performance.now() - started);
    });
    sent.push(answered);
    await new Promise((done) => setTimeout(done, PACE_MS));
  }
  await Promise.all(sent).finally(() => agent.destroy());
  return times.map((of) => ({ ...summary(of), count: of.length }));
}
