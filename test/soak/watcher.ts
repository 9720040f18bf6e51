// What watches a deployment from outside: it counts the calls of the heartbeat, and reads `/metrics`.
import { createServer } from "node:http";

export const METRICS_TOKEN = "only-this-run-scrapes-with-this";

/** Counts the calls of the heartbeat URL. */
export async function startWatcher() {
  const beats: number[] = [];
  const server = createServer((_, response) => {
    beats.push(Date.now());
    response.end("ok");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/beat`, beats, stop: () => server.close() };
}

/** The values of `/metrics`, by series. */
export async function scrape(url: string): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  });
  if (!response.ok) throw new Error(`/metrics: ${response.status}`);
  const lines = (await response.text())
    .split("\n")
    .filter((it) => it !== "" && !it.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The invariants that the latest audit found broken. */
export const brokenIn = (scraped: ReadonlyMap<string, number>): string[] =>
  [...scraped].flatMap(([series, value]) => {
    const [, invariant] = /^tocsin_invariant_broken\{invariant="(\w+)"\}$/.exec(series) ?? [];
    return value === 1 && invariant !== undefined ? [invariant] : [];
  });
