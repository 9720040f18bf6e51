// A storm: webhooks in a burst on one integration, ten of each `Id`, for one person. How many are accepted
// and opened in a second, how long until everything is handed on; and whether what was answered 200 is an alert or a
// count, once, while the person gets a bounded number of messages.
import { Agent, request } from "node:http";
import { line } from "./measure.ts";

/** Webhooks of each `Id`. */
const EACH = 10;
/** Requests in hand at a time. */
const SIDE_BY_SIDE = 64;
/** Empty calls that the storm is compared with. */
const EMPTY_CALLS = 1_000;
/** How long the drain may take before it is called endless (ms). */
const MOST_MS = 600_000;
/** Messages that a person gets on one channel in each of these spans (ms): three at once, and their bundle. */
const SPAN_MS = 30_000;
const MESSAGES_PER_SPAN = 4;

export type Target = {
  readonly url: string;
  /** Path that the webhooks go to. */
  readonly intake: string;
  readonly integrationId: string;
  /** Whom the storm is to wake. */
  readonly email: string;
};

type Answers = {
  readonly ms: number;
  /** How many of each `Id` were answered 200. */
  readonly acceptedOf: ReadonlyMap<string, number>;
  readonly accepted: number;
  /** Answered 429 with `Retry-After`. */
  readonly limited: number;
  /** Answered otherwise, by what. */
  readonly others: ReadonlyMap<string, number>;
};

type Standing = Record<
  | ("alerts" | "events" | "ids" | "logs" | "pages" | "waiting" | "sent")
  | ("repeated" | "effects" | "messages"),
  number
>;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function post(
  agent: Agent,
  url: string,
  body: string,
): Promise<{ status: number; retry: boolean }> {
  return new Promise((done, fail) => {
    const headers = { "Content-Type": "application/json", "Content-Length": body.length };
    const asked = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("end", () => {
        const retry = Number(response.headers["retry-after"]) > 0;
        done({ status: response.statusCode ?? 0, retry });
      });
    });
    asked.once("error", fail);
    asked.end(body);
  });
}

/** Empty calls of an object, by as many side by side: what the machine can do at most (per second). */
async function emptyRate(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
  let sent = 0;
  const call = async () => {
    while (sent++ < EMPTY_CALLS) await post(agent, `${url}/bench/empty`, "{}");
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, call));
  const ms = performance.now() - started;
  agent.destroy();
  return (EMPTY_CALLS * 1_000) / ms;
}

/** Sends the burst; every request is answered, or counted among the others. */
async function burst(
  { url, intake }: Target,
  events: number,
  ids: number,
  prefix: string,
): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
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
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, send));
  const ms = performance.now() - started;
  agent.destroy();
  return { ms, acceptedOf, accepted, limited, others };
}

const needsRetry = ({ status, retry }: { status: number; retry: boolean }) =>
  status === 429 && !retry;

async function standing({ url, integrationId }: Target): Promise<Standing> {
  const response = await fetch(`${url}/bench/standing?integration=${integrationId}`);
  return response.json() as Promise<Standing>;
}

/** Until `isSo`, looked at twice a second; how long it took from `started` on (ms). */
async function until(target: Target, started: number, isSo: (it: Standing) => boolean) {
  for (;;) {
    const now = await standing(target);
    const ms = performance.now() - started;
    if (isSo(now)) return { ms, now };
    if (ms > MOST_MS) throw new Error(`the storm is not over: ${JSON.stringify(now)}`);
    await pause(500);
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Prints the section; what was promised and is not so is printed as such, and returned. */
export async function storm(
  target: Target,
  events: number,
  mailsTo: (email: string) => Promise<number>,
): Promise<string[]> {
  const ids = Math.ceil(events / EACH);
  const empty = await emptyRate(target.url);
  const before = await standing(target);
  const started = performance.now();
  const burning = burst(target, events, ids, "storm");
  const opening = until(target, started, (it) => it.alerts - before.alerts >= ids);
  const answers = await burning;
  const { accepted } = answers;
  const drained = await until(target, started, (it) => it.events - before.events >= accepted);
  const opened = await opening;
  const logged = await until(target, started, (it) => it.logs - before.logs >= accepted);
  const paged = await until(
    target,
    started,
    (it) => it.pages - before.pages >= ids && it.waiting === 0,
  );
  await pause(2_000);
  const mails = await mailsTo(target.email);
  const now = await standing(target);
  console.log(
    `\na storm: ${events} webhooks, ${ids} Ids, ${SIDE_BY_SIDE} side by side, one person`,
  );
  const perSecond = (accepted * 1_000) / answers.ms;
  const rate = `${perSecond.toFixed(0)}/s in ${seconds(answers.ms)}`;
  const compared = `${empty.toFixed(0)}/s = ${(empty / perSecond).toFixed(1)} x`;
  console.log(line("empty calls, as many side by side", compared, "(the yardstick)"));
  console.log(line(`accepted: ${accepted}`, rate, ">= 300/s"));
  const opens = `${((ids * 1_000) / opened.ms).toFixed(0)}/s in ${seconds(opened.ms)}`;
  console.log(line("opened, as readers see it", opens, "(printed)"));
  console.log(line("everything counted, from the first on", seconds(drained.ms), "(printed)"));
  console.log(line("every request's log written", seconds(logged.ms), "(printed)"));
  console.log(line("everybody told, bundles too", seconds(paged.ms), "(printed)"));
  const bound = MESSAGES_PER_SPAN * Math.ceil((paged.ms + SPAN_MS) / SPAN_MS);
  console.log(line(`mails to the one person, of ${ids} alerts`, String(mails), `<= ${bound}`));
  return [
    ...[...answers.others].map(([what, count]) => `${count} webhooks: ${what}`),
    ...differ("events counted", now.events - before.events, accepted),
    ...differ("alerts", now.alerts - before.alerts, answers.acceptedOf.size),
    ...differ("pages", now.sent - before.sent, ids),
    ...differ("effects", now.effects - before.effects, ids),
    ...differ("messages recorded", now.messages - before.messages, mails),
    ...differ("pages tried again", now.repeated - before.repeated, 0),
    ...(mails > bound ? [`${mails} mails to one person, more than ${bound}`] : []),
  ];
}

const differ = (what: string, found: number, expected: number) =>
  found === expected ? [] : [`${what}: ${found}, not ${expected}`];

/** The same with rate limits on, in small: every request is accepted, or told when to come again. */
export async function limitedStorm(target: Target, events: number): Promise<string[]> {
  const before = await standing(target);
  const started = performance.now();
  const answers = await burst(target, events, Math.ceil(events / EACH), "limited");
  const { accepted, limited, others } = answers;
  await until(target, started, (it) => it.events - before.events >= accepted);
  const now = await standing(target);
  const told = `${accepted} accepted, ${limited} told when to retry`;
  console.log(line(`${events} with rate limits on, in ${seconds(answers.ms)}`, told, ""));
  return [
    ...[...others].map(([what, count]) => `${count} webhooks: ${what}`),
    ...differ("events counted", now.events - before.events, accepted),
  ];
}
