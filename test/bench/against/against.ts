// Compares this service with a GoAlert on the same machine, one after the other: events accepted a
// second, and the time from an event to the first provider's call. Prints ratios with their goals.
import { line, ms, summary } from "../measure.ts";
import { settled } from "../price/life.ts";
import type { Prepared, Server } from "../server.ts";
import { makeWorld } from "../world.ts";
import { duringGoAlert, type Installed, TICK_MS } from "./goalert.ts";
import { acceptedPerSecond, type Contestant, timesToProvider } from "./senders.ts";

/** Integrations, each with a connection of its own: GoAlert serves one request per key at a time. */
const INTEGRATIONS = 16;
/**
 * The pause between two events whose time to a provider is measured (ms): fewer of them in a tick than
 * the five messages that GoAlert sends at most.
 */
const PACE_MS = 1_700;
/** The ticks in which GoAlert sends what waits. */
const SETTLING_TICKS = 6;

/** What one side reached, by round: accepted per second, and times to the provider's call (ms). */
type Side = {
  readonly contestant: Contestant;
  /** Waits until it has nothing left to do. */
  readonly settle: () => Promise<unknown>;
  readonly fresh: number[];
  readonly repeated: number[];
  readonly times: number[];
};

/** Rounds, in each of which both are measured in turn: the machine may be slower in one of them. */
const ROUNDS = 3;

/** Prints the section. `events`: how many of each kind each side is sent. */
export async function against(bench: Prepared, other: Installed, events: number): Promise<void> {
  const run = `run-${Date.now()}`;
  await bench.during({ RATE_LIMITS: "off", PAGES_AT_ONCE: "0" }, async (server) =>
    duringGoAlert(other, INTEGRATIONS, async (goAlert) => {
      const sides: Side[] = [
        { contestant: await contestantOf(server), settle: () => settled(server), ...nothing() },
        { contestant: goAlert, settle: () => pause(SETTLING_TICKS * TICK_MS), ...nothing() },
      ];
      for (const side of sides) await measureTimes(side, run);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const side of sides) {
          await measureRates(side, Math.ceil(events / ROUNDS), `${run}-${round}`);
        }
      }
      const [own, others] = sides;
      if (own && others) print(own, others, events);
    }),
  );
}

const nothing = () => ({ fresh: [], repeated: [], times: [] });

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function measureTimes({ contestant, settle, times }: Side, run: string): Promise<void> {
  await acceptedPerSecond(contestant, INTEGRATIONS, (i) => `${run}-warm-${i}`);
  await settle();
  times.push(...(await timesToProvider(contestant, PACE_MS, run)));
}

async function measureRates(
  { contestant, settle, fresh, repeated }: Side,
  events: number,
  run: string,
): Promise<void> {
  fresh.push(await acceptedPerSecond(contestant, events, (i) => `${run}-new-${i}`));
  await settle();
  repeated.push(await acceptedPerSecond(contestant, events, () => `${run}-repeated`));
  await settle();
}

/** This service, with integrations of one team; its provider is the one of mail. */
async function contestantOf(server: Server): Promise<Contestant> {
  const { teamId, intake } = await makeWorld(server);
  const { id } = await server.get<{ id: string }>("/integration_types/webhook");
  const paths = [intake];
  while (paths.length < INTEGRATIONS) {
    const integration = await server.api("/integrations", {
      name: `Bench ${paths.length}`,
      urgency: "high",
      integration_type_id: id,
      team_ids: [teamId],
    });
    paths.push(`/integration/${integration.prefix_id}`);
  }
  const intakes = paths.map((path) => ({
    url: server.url + path,
    bodyOf: (Id: string, Title: string) =>
      JSON.stringify({ event_type: "create", Id, Title, Description: "Volume /data" }),
  }));
  const calls = async () => {
    const report = await server.report();
    return new Map(report.calls.map(({ subject, at }) => [subject.replace("[HIGH] ", ""), at]));
  };
  return { name: "this service", intakes, paging: intakes, calls };
}

function print(own: Side, goAlert: Side, events: number): void {
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
  console.log(line("event -> mail provider called, this service", ms(here), "(printed)"));
  console.log(line("event -> webhook of the first step, GoAlert", ms(there), "(printed)"));
  const share = (here.median / TICK_MS).toFixed(3);
  const goal = `of its tick of ${TICK_MS / 1_000} s, goal <= 0.05`;
  console.log(line("event -> provider, median, this service", share, goal));
}
