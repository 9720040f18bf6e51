// A storm: a burst of webhooks to one integration, ten of each `Id`, for one person. Measures the
// events accepted and alerts opened per second, and the time until everything is delivered. Checks
// that every 200 is counted exactly once, and that the person gets a bounded number of messages.
import { Agent } from "node:http";
import { line, ms, type Times } from "../measure.ts";
import { probeUntil } from "./accepting.ts";
import { post } from "./post.ts";
import { PROBE } from "./probe-id.ts";

/** Number of webhooks per `Id`. */
const EVENTS_PER_ID = 10;
/** Number of concurrent requests. */
const CONCURRENCY = 64;
/** Number of empty calls of the baseline. */
const EMPTY_CALLS = 1_000;
/** How long empty calls are measured before the storm (ms). */
const CALM_MS = 5_000;
/** Timeout of the drain (ms). */
const DRAIN_TIMEOUT_MS = 600_000;
/** A person gets at most this many messages per channel and span: three alerts and a bundle. */
const SPAN_MS = 30_000;
const MESSAGES_PER_SPAN = 4;

export type Target = {
  readonly url: string;
  /** The path of the webhooks. */
  readonly intake: string;
  /** The path of another integration, whose alerts notify nobody. */
  readonly quietIntake: string;
  readonly integrationId: string;
  /** The address of the person on call. */
  readonly email: string;
};

type Answers = {
  readonly ms: number;
  /** The number of 200 responses per `Id`. */
  readonly acceptedOf: ReadonlyMap<string, number>;
  readonly accepted: number;
  /** The number of 429 responses with `Retry-After`. */
  readonly limited: number;
  /** The number of other outcomes, by description. */
  readonly others: ReadonlyMap<string, number>;
};

type RecordCounts = Record<
  | ("alerts" | "events" | "ids" | "logs" | "pages" | "waiting" | "sent")
  | ("repeated" | "effects" | "messages"),
  number
>;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Empty object calls per second at the same concurrency: the maximum of this machine. */
async function emptyRate(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  let sent = 0;
  const call = async () => {
    while (sent++ < EMPTY_CALLS) await post(agent, `${url}/bench/empty`, "{}");
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, call));
  const ms = performance.now() - started;
  agent.destroy();
  return (EMPTY_CALLS * 1_000) / ms;
}

/** Sends the burst and counts the outcomes. */
async function burst(
  { url, intake }: Target,
  events: number,
  ids: number,
  prefix: string,
): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const address = url + intake;
  const acceptedOf = new Map<string, number>();
  const others = new Map<string, number>();
  let [sent, accepted, limited] = [0, 0, 0];
  const send = async () => {
    for (let i = sent++; i < events; i = sent++) {
      const Id = `${prefix}-${i % ids}`;
      const body = JSON.stringify({ event_type: "create", Id, Title: `${Id} fails` });
      const answer = await post(agent, address, body).catch((error: Error) => error);
      if (answer instanceof Error || ![200, 429].includes(answer.status) || needsRetry(answer)) {
        const what = answer instanceof Error ? answer.message : `status ${answer.status}`;
        others.set(what, (others.get(what) ?? 0) + 1);
      } else if (answer.status === 429) limited += 1;
      else {
        accepted += 1;
        acceptedOf.set(Id, (acceptedOf.get(Id) ?? 0) + 1);
      }
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
  const ms = performance.now() - started;
  agent.destroy();
  return { ms, acceptedOf, accepted, limited, others };
}

const needsRetry = ({ status, retry }: { status: number; retry: boolean }) =>
  status === 429 && !retry;

async function readCounts({ url, integrationId }: Target): Promise<RecordCounts> {
  const response = await fetch(`${url}/bench/standing?integration=${integrationId}`);
  return response.json() as Promise<RecordCounts>;
}

/** Polls twice a second until `isDone`; returns the time since `started` (ms) and the counts. */
async function until(target: Target, started: number, isDone: (it: RecordCounts) => boolean) {
  for (;;) {
    const now = await readCounts(target);
    const ms = performance.now() - started;
    if (isDone(now)) return { ms, now };
    if (ms > DRAIN_TIMEOUT_MS) throw new Error(`the storm is not over: ${JSON.stringify(now)}`);
    await pause(500);
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Prints the section; returns the violated guarantees. */
export async function storm(
  target: Target,
  events: number,
  mailsTo: (email: string) => Promise<number>,
): Promise<string[]> {
  const ids = Math.ceil(events / EVENTS_PER_ID);
  const probes = probesOf(target);
  const [calm] = await probeUntil(pause(CALM_MS), [probes.empty]);
  const empty = await emptyRate(target.url);
  const before = await readCounts(target);
  const started = performance.now();
  const bursting = burst(target, events, ids, "storm");
  const opening = until(target, started, (it) => it.alerts - before.alerts >= ids);
  const answers = await bursting;
  const draining = until(target, started, (it) => it.events - before.events >= answers.accepted);
  const waits = await probeUntil(draining, [probes.other, probes.same, probes.empty]);
  const drained = await draining;
  const { accepted } = answers;
  const opened = await opening;
  const logged = await until(target, started, (it) => it.logs - before.logs >= accepted);
  const paged = await until(
    target,
    started,
    (it) =>
      it.pages - before.pages >= ids && it.waiting === 0 && it.events - before.events >= accepted,
  );
  await pause(2_000);
  const mails = await mailsTo(target.email);
  const now = await readCounts(target);
  console.log(`\na storm: ${events} webhooks, ${ids} Ids, ${CONCURRENCY} side by side, one person`);
  const perSecond = (answers.accepted * 1_000) / answers.ms;
  const rate = `${perSecond.toFixed(0)}/s in ${seconds(answers.ms)}`;
  const compared = `${empty.toFixed(0)}/s = ${(empty / perSecond).toFixed(1)} x`;
  console.log(line("empty calls, as many side by side", compared, "(the yardstick)"));
  console.log(line(`accepted: ${answers.accepted}`, rate, ">= 300/s"));
  const opens = `${((ids * 1_000) / opened.ms).toFixed(0)}/s in ${seconds(opened.ms)}`;
  console.log(line("opened, as readers see it", opens, "(printed)"));
  console.log(line("everything counted, from the first on", seconds(drained.ms), "(printed)"));
  console.log(line("every request's log written", seconds(logged.ms), "(printed)"));
  console.log(line("everybody told, bundles too", seconds(paged.ms), "(printed)"));
  const bound = MESSAGES_PER_SPAN * Math.ceil((paged.ms + SPAN_MS) / SPAN_MS);
  console.log(line(`mails to the one person, of ${ids} alerts`, String(mails), `<= ${bound}`));
  if (calm) printWaits(calm, waits);
  return [
    ...[...answers.others].map(([what, count]) => `${count} webhooks: ${what}`),
    ...difference("events counted", now.events - before.events, accepted),
    ...difference("alerts", now.alerts - before.alerts, answers.acceptedOf.size),
    ...difference("pages", now.sent - before.sent, ids),
    ...difference("effects", now.effects - before.effects, ids),
    ...difference("messages recorded", now.messages - before.messages, mails),
    ...difference("pages tried again", now.repeated - before.repeated, 0),
    ...(mails > bound ? [`${mails} mails to one person, more than ${bound}`] : []),
  ];
}

/** Single requests while the storm drains. They notify nobody. */
function probesOf({ url, intake, quietIntake }: Target) {
  const probe = { event_type: "create", Id: PROBE, Title: "A probe", urgency: "silent" };
  const body = JSON.stringify(probe);
  return {
    empty: { url: `${url}/bench/empty`, body: "{}" },
    same: { url: url + intake, body },
    other: { url: url + quietIntake, body },
  };
}

/** Both baselines: an empty call waits for the same thread, which is busy while a storm drains. */
function printWaits(calm: Times, waits: readonly (Times & { readonly count: number })[]): void {
  const [other, same, empty] = waits;
  if (other === undefined || same === undefined || empty === undefined) return;
  const compared = (wait: Times) =>
    `${ms(wait)} = ${(wait.p99 / empty.p99).toFixed(1)} x, ${(wait.p99 / calm.p99).toFixed(1)} x`;
  console.log(line("an empty call before the storm", ms(calm), "(printed)"));
  console.log(line("an empty call while it drains", ms(empty), "(the yardstick)"));
  const budget = "p99 <= 10 x the empty call's, while it drains; before";
  console.log(line(`webhook to another integration, ${other.count}`, compared(other), budget));
  console.log(line(`webhook to the same one, ${same.count}`, compared(same), budget));
}

const difference = (what: string, found: number, expected: number) =>
  found === expected ? [] : [`${what}: ${found}, not ${expected}`];

/** A smaller storm with rate limits: every request gets 200, within the backlog of an inbox. */
export async function limitedStorm(target: Target, events: number): Promise<string[]> {
  const before = await readCounts(target);
  const started = performance.now();
  const answers = await burst(target, events, Math.ceil(events / EVENTS_PER_ID), "limited");
  const { accepted, limited, others } = answers;
  await until(target, started, (it) => it.events - before.events >= accepted);
  const now = await readCounts(target);
  const outcome = `${accepted} accepted`;
  console.log(line(`${events} with rate limits on, in ${seconds(answers.ms)}`, outcome, ""));
  return [
    ...[...others].map(([what, count]) => `${count} webhooks: ${what}`),
    ...difference("webhooks refused", limited, 0),
    ...difference("events counted", now.events - before.events, accepted),
  ];
}
