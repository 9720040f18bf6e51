// Measures the CPU time of each kind of invocation, in ratio to a request to the same worker that does nothing.
import { actionLink } from "../../../src/kernel/links.ts";
import { api } from "../../crash/load/load.ts";
import { startProvider } from "../../crash/load/provider.ts";
import { makeWorld } from "../../crash/load/world.ts";
import {
  type Built,
  buildWorker,
  deleteState,
  EMAIL,
  freePort,
  PASSWORD,
  startWorker,
} from "../../support/worker/dev-worker.ts";
import { cpuTimeOf } from "../cpu-time.ts";
import { line, summary } from "../measure.ts";
import { expectOk, sideBySide } from "../price/life.ts";

/** Rounds, in each of which every kind is measured: the machine may be slower in one of them. */
const ROUNDS = 3;
/** Requests at the same time: of one client the runtime would mostly wait. */
const WIDTH = 4;
/** How long what follows an invocation may take (ms). */
const SETTLING_MS = 1_500;

const LINK_SECRET = "a secret of the measurement";

/**
 * The CPU of each kind beside an empty invocation, at most: three quarters of what it was when it was first counted, with the
 * inspector of `wrangler dev` or without it, whichever is less.
 */
const BUDGETS = {
  "webhook accepted": 2.1,
  "step of an alert's object": 2.9,
  "queue batch with one page": 6.8,
  "acknowledged by link": 6.8,
  "page of the console": 16.4,
  "list of the API": 3.0,
  "cron with nothing to do": 7.6,
} as const;

type Kind = keyof typeof BUDGETS;

/** How to invoke it `times`. */
type Invoked = { readonly times: number; readonly run: (times: number) => Promise<unknown> };

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** The measured worker, and what is known of its world. */
type World = {
  readonly url: string;
  readonly built: Built;
  readonly intake: string;
  readonly cookie: string;
};

/** Sends a request so many times. Throws unless all are answered 2xx. */
const repeat = (times: number, send: (i: number) => Promise<Response>) =>
  sideBySide(
    Array.from({ length: times }, (_, i) => i),
    WIDTH,
    (i) => expectOk(send(i)),
  );

/** Signs the first account's person in; returns the session's cookies. */
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: "POST",
    headers: { Origin: url },
    body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`signing in was answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((it) => it.split(";")[0])
    .join("; ");
}

/** Opens alerts and returns the links by which the person of their page acknowledges each. */
async function openAlerts({ url, built, intake }: World, run: string, count: number) {
  const body = (Id: string) => JSON.stringify({ event_type: "create", Id, Title: "Disk full" });
  await repeat(count, (i) =>
    fetch(url + intake, { method: "POST", body: body(`${run}-${i}`), headers: JSON_BODY }),
  );
  await pause(SETTLING_MS);
  const target = { url: () => url, key: built.key };
  const { data } = (await api(target, `/alerts?limit=${count}`)) as unknown as {
    readonly data: readonly { readonly id: string; readonly account_id: string }[];
  };
  const env = { LINK_SECRET, PUBLIC_URL: url };
  return Promise.all(
    data.map(({ id: recordId, account_id: accountId }) => {
      const { accountUserId } = built;
      const subject = { purpose: "alert", accountId, recordId, accountUserId } as const;
      return actionLink(env, subject, Date.now());
    }),
  );
}

const JSON_BODY = { "Content-Type": "application/json" };

/** The kinds, and how each is invoked; `links`: of alerts that nobody has acknowledged. */
function kindsOf({ url, built, intake, cookie }: World, links: readonly (string | null)[]) {
  const inside = (what: string) => (times: number) =>
    expectOk(fetch(`${url}/bench/${what}?times=${times}`));
  const event = JSON.stringify({ event_type: "create", Id: "repeated", Title: "Disk full" });
  const kinds: Readonly<Record<Kind, Invoked>> = {
    "webhook accepted": {
      times: 400,
      run: (times) =>
        repeat(times, () =>
          fetch(url + intake, { method: "POST", body: event, headers: JSON_BODY }),
        ),
    },
    "step of an alert's object": { times: 100, run: inside("step") },
    "queue batch with one page": { times: 100, run: inside("page") },
    "acknowledged by link": {
      times: links.length,
      run: (times) =>
        repeat(times, (i) =>
          fetch(links[i] ?? "", {
            method: "POST",
            body: new URLSearchParams({ action: "acknowledge" }),
          }),
        ),
    },
    "page of the console": {
      times: 100,
      run: (times) => repeat(times, () => fetch(`${url}/alerts`, { headers: { Cookie: cookie } })),
    },
    "list of the API": {
      times: 100,
      run: (times) =>
        repeat(times, () =>
          fetch(`${url}/api/v4/alerts`, { headers: { Authorization: `Bearer ${built.key}` } }),
        ),
    },
    "cron with nothing to do": { times: 100, run: inside("minute") },
  };
  const empty: Invoked = {
    times: 1_000,
    run: (times) => repeat(times, () => fetch(`${url}/bench/nothing`)),
  };
  return { kinds, empty };
}

/** Prints the section; returns the budgets that are not kept. */
export async function invocations(): Promise<string[]> {
  const built = await buildWorker("bench-cpu", "test/bench/cpu/worker.ts");
  const provider = await startProvider();
  const port = await freePort();
  const running = await startWorker(
    built,
    port,
    {
      ...{ RATE_LIMITS: "off", PAGES_AT_ONCE: "0", RESEND_API_KEY: "none", LINK_SECRET },
      ...{ PROVIDER: provider.url, PUBLIC_URL: `http://127.0.0.1:${port}` },
    },
    "/health",
  );
  try {
    const { url } = running;
    const target = { url: () => url, key: built.key };
    const { integrations } = await makeWorld(target, built.accountUserId, 1, [600]);
    const { url: intake = "" } = await api(target, `/integrations/${integrations[0]}`);
    const cookie = await signIn(url);
    const world = { url, built, intake: new URL(intake).pathname, cookie };
    const cpu = cpuTimeOf(running, built.state);
    const cpuOf = async ({ times, run }: Invoked) => {
      const before = cpu();
      await run(times);
      await pause(SETTLING_MS);
      return (cpu() - before) / times;
    };
    const ratios = new Map<Kind, number[]>();
    for (let round = -1; round < ROUNDS; round += 1) {
      const links = await openAlerts(world, `round-${round}`, 60);
      const { kinds, empty } = kindsOf(world, links);
      const base = await cpuOf(empty);
      for (const [kind, invoked] of Object.entries(kinds) as [Kind, Invoked][]) {
        const measured = (await cpuOf(invoked)) / base;
        // The first round loads the modules.
        if (round >= 0) ratios.set(kind, [...(ratios.get(kind) ?? []), measured]);
      }
    }
    return printed(ratios);
  } finally {
    await running.kill();
    provider.stop();
    deleteState(built);
  }
}

function printed(ratios: ReadonlyMap<Kind, readonly number[]>): string[] {
  const what = "CPU of an invocation, beside an empty one";
  console.log(`\n${line(what, `median of ${ROUNDS} rounds`, "budget")}`);
  const faults: string[] = [];
  for (const [kind, measured] of ratios) {
    const ratio = summary(measured).median;
    const shown = `${ratio.toFixed(1)} x (${measured.map((it) => it.toFixed(1)).join(", ")})`;
    console.log(line(kind, shown, `<= ${BUDGETS[kind]} x`));
    if (ratio > BUDGETS[kind]) faults.push(`CPU of ${kind}: ${ratio.toFixed(1)} x`);
  }
  return faults;
}
