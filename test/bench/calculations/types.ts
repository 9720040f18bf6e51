// Measures the parsing of senders' requests: every type's own, enlarged to 256 KiB of hostile text.
import { interpretRequest } from "../../../src/products/interpret.ts";
import { hostile } from "../../support/integrations/hostile.ts";
import { readSent, typesWithFixtures } from "../../support/integrations/sender-fixtures.ts";
import { line, summary } from "../measure.ts";

const SIZE = 262_144;
const ROUNDS = 5;

/** Prints the median and the maximum of all types' slowest payloads. */
export function benchTypes(): void {
  const slowest = typesWithFixtures.map(([name, type, { requests, options = {} }]) => {
    const request = readSent(requests.fire);
    const times = hostile(request.body, SIZE).map((body) =>
      median(() => interpretRequest(type, { ...request, body }, options)),
    );
    return { name, time: Math.max(...times) };
  });
  const { median: middle } = summary(slowest.map(({ time }) => time));
  const worst = slowest.reduce((a, b) => (b.time > a.time ? b : a));
  const shown = `${middle.toFixed(1)} ms (${worst.name} ${worst.time.toFixed(1)})`;
  console.log(line("a request of 256 KiB understood, any type", shown, "the slowest <= 10 ms"));
}

function median(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return summary(times).median;
}
