// Compares this service, under `npm run serve`, with a GoAlert on the same machine, in turn: events accepted a second, the time
// from an event to the first provider's call, and memory. Prints ratios, of the rates with their goals.
import { line, ms, summary } from "../measure.ts";
import { duringGoAlert, type Installed, TICK_MS } from "./goalert.ts";
import { acceptedPerSecond, type Side, timesToProvider } from "./senders.ts";
import { duringServe } from "./serve.ts";

/** Integrations, each with a connection of its own: GoAlert serves one request per key at a time. */
const INTEGRATIONS = 16;
/**
 * The pause between two events whose time to a provider is measured (ms): fewer of them in a tick than
 * the five messages that GoAlert sends at most.
 */
const PACE_MS = 1_700;

/** Rounds, in each of which both are measured in turn: the machine may be slower in one of them. */
const ROUNDS = 3;

/** A side, and what it reached: by round, accepted per second; times to the provider's call (ms); memory (MB). */
type Measured = {
  readonly side: Side;
  readonly fresh: number[];
  readonly repeated: number[];
  readonly times: readonly number[];
  readonly idle: number;
};

/** Prints the section. `events`: how many of each kind each side is sent. */
export async function against(other: Installed, events: number): Promise<void> {
  const run = `run-${Date.now()}`;
  await duringServe(INTEGRATIONS, (service) =>
    duringGoAlert(other, INTEGRATIONS, async (goAlert) => {
      const own = await beginWith(service, run);
      const others = await beginWith(goAlert, run);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const measured of [own, others]) {
          await measureRates(measured, Math.ceil(events / ROUNDS), `${run}-${round}`);
        }
      }
      print(own, others, events);
    }),
  );
}

async function beginWith(side: Side, run: string): Promise<Measured> {
  await side.settle();
  const idle = side.memory();
  await acceptedPerSecond(side, INTEGRATIONS, (i) => `${run}-warm-${i}`);
  await side.settle();
  return { side, idle, times: await timesToProvider(side, PACE_MS, run), fresh: [], repeated: [] };
}

async function measureRates(
  { side, fresh, repeated }: Measured,
  events: number,
  run: string,
): Promise<void> {
  fresh.push(await acceptedPerSecond(side, events, (i) => `${run}-new-${i}`));
  await side.settle();
  repeated.push(await acceptedPerSecond(side, events, () => `${run}-repeated`));
  await side.settle();
}

function print(own: Measured, goAlert: Measured, events: number): void {
  console.log(`\nagainst GoAlert, ${events} events, ${INTEGRATIONS} integrations and connections`);
  console.log(line("what, median of three rounds", "this, GoAlert", "ratio, goal"));
  const rates = (what: string, of: "fresh" | "repeated", goal: string) => {
    const [a, b] = [summary(own[of]).median, summary(goAlert[of]).median];
    const compared = `${(a / b).toFixed(2)} x, ${goal}`;
    console.log(line(what, `${a.toFixed(0)}/s, ${b.toFixed(0)}/s`, compared));
  };
  rates("new alerts accepted", "fresh", ">= 0.5 x (1 x on a RAM disk)");
  rates("repeated Ids accepted", "repeated", ">= 1 x");
  const [here, there] = [summary(own.times), summary(goAlert.times)];
  console.log(line("event -> mail taken by the SMTP server, this service", ms(here), "(printed)"));
  console.log(line("event -> webhook of the first step, GoAlert", ms(there), "(printed)"));
  const share = (here.median / TICK_MS).toFixed(3);
  const goal = `of its tick of ${TICK_MS / 1_000} s, goal <= 0.05`;
  console.log(line("event -> provider, median, this service", share, goal));
  const memory = (what: string, of: (measured: Measured) => number) => {
    const [a, b] = [of(own), of(goAlert)];
    const compared = `${(a / b).toFixed(2)} x (GoAlert's with PostgreSQL's)`;
    console.log(line(what, `${a.toFixed(0)} MB, ${b.toFixed(0)} MB`, compared));
  };
  memory("memory before the first event", ({ idle }) => idle);
  memory("memory after the last one", ({ side }) => side.memory());
}
