// Sends requests at a steady pace and summarizes their times.

export type Times = { readonly median: number; readonly p99: number };

export function summary(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

/** The median of three runs' medians, and of their p99s. */
export async function thrice(run: () => Promise<Times>): Promise<Times> {
  const runs = [await run(), await run(), await run()];
  return {
    median: summary(runs.map((it) => it.median)).median,
    p99: summary(runs.map((it) => it.p99)).median,
  };
}

/** Sends `count` requests, one every `everyMs`, and times each (ms). Throws unless all are 2xx. */
export async function paced(
  count: number,
  everyMs: number,
  send: (i: number) => Promise<Response>,
): Promise<Times> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  for (let i = 0; i < count; i += 1) {
    const started = performance.now();
    const answered = send(i).then(async (response) => {
      const text = await response.text();
      times.push(performance.now() - started);
      if (!response.ok) throw new Error(`answered ${response.status}: ${text}`);
    });
    sent.push(answered);
    await new Promise((done) => setTimeout(done, everyMs));
  }
  await Promise.all(sent);
  return summary(times);
}

/** One line of the report. */
export function line(what: string, value: string, budget: string): string {
  return `${what.padEnd(52)} ${value.padStart(26)}   ${budget}`;
}

/** Times as the report prints them. */
export const ms = ({ median, p99 }: Times) => `${median.toFixed(1)} ms (p99 ${p99.toFixed(0)})`;

/** The ratio of two medians. */
export const ratio = (a: Times, b: Times) => `${(a.median / b.median).toFixed(2)} x`;
