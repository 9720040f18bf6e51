// Measures what an isolate that starts evaluates, and the first requests to a process that has just started, as ratios to
// everything, and to later requests.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { startProvider } from "../../crash/load/provider.ts";
import { makeWorld } from "../../crash/load/world.ts";
import {
  type Built,
  buildWorker,
  deleteState,
  freePort,
  startWorker,
} from "../../support/worker/dev-worker.ts";
import { line, summary } from "../measure.ts";

/** How often each is measured: in turn, so that a busy moment is shared. */
const ROUNDS = 7;
/** Requests after the first one of a process. */
const LATER = 20;

/** What evaluating the entry may cost, as a part of evaluating everything. */
const MAX_START_UP = 1 / 6;
/** What the first webhook may cost, to its provider call, as a multiple of a later one. */
const MAX_FIRST = 3;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const median = (values: readonly number[]) => summary(values).median;

/** The CPU time of evaluating modules in a fresh process (ms). */
function evaluate(files: readonly string[]): number {
  const program = join(import.meta.dirname, "evaluate.ts");
  return Number(
    execFileSync(process.execPath, ["--no-warnings", program, ...files], { encoding: "utf8" }),
  );
}

/** Compares the entry with everything. Returns what is over its budget. */
function startUp({ config }: Built): string[] {
  const folder = join(dirname(config), "built");
  const everything = readdirSync(folder).map((file) => join(folder, file));
  const entry = [join(folder, "worker.js")];
  const rounds = Array.from({ length: ROUNDS }, () => [
    evaluate(entry),
    evaluate(everything),
    evaluate([]),
  ]);
  const [own = 0, all = 0, none = 0] = [0, 1, 2].map((at) =>
    median(rounds.map((it) => it[at] ?? 0)),
  );
  const share = (own - none) / (all - none);
  console.log(
    line(
      "start-up: the entry, of everything",
      `${(own - none).toFixed(1)} of ${(all - none).toFixed(1)} ms = ${share.toFixed(2)}`,
      "<= 1/6",
    ),
  );
  return share > MAX_START_UP ? [`start-up of the entry: ${share.toFixed(2)} of everything`] : [];
}

/** The first request of a process beside the later ones. */
type Firsts = { readonly first: number; readonly later: number };

async function timed(run: () => Promise<unknown>): Promise<Firsts> {
  const times: number[] = [];
  for (let i = 0; i <= LATER; i += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
    await pause(50);
  }
  const [first = 0, ...later] = times;
  return { first, later: median(later) };
}

const shown = ({ first, later }: Firsts) =>
  `${first.toFixed(0)} ms, later ${later.toFixed(0)} ms = ${(first / later).toFixed(1)} x`;

/** Prints the section; returns the budgets that are not kept. */
export async function cold(): Promise<string[]> {
  console.log(`\n${line("what", "measured", "budget")}\n${"-".repeat(112)}`);
  const built = await buildWorker("bench-cold", "test/crash/worker.ts");
  const provider = await startProvider();
  const port = await freePort();
  const variables = {
    ...{ RATE_LIMITS: "off", PAGES_AT_ONCE: "0", RESEND_API_KEY: "none" },
    PROVIDER: provider.url,
  };
  const faults = startUp(built);
  /** Runs on a fresh process that has answered nothing but whether it is there. */
  const fresh = async <Result>(work: (url: string) => Promise<Result>) => {
    const running = await startWorker(built, port, variables, "/health");
    try {
      return await work(running.url);
    } finally {
      await running.kill();
    }
  };
  const headers = { Authorization: `Bearer ${built.key}` };
  const { integrations } = await fresh((url) =>
    makeWorld({ url: () => url, key: built.key }, built.accountUserId, 1, [600]),
  );
  let sent = 0;
  /** Sends a new event, and waits until the provider is called for it. */
  const page = async (url: string) => {
    sent += 1;
    const taken = provider.taken.length;
    const body = JSON.stringify({ event_type: "create", Id: `cold-${sent}`, Title: "Disk full" });
    await fetch(`${url}/integration/${integrations[0]}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    while (provider.taken.length === taken) await pause(1);
  };
  const get = (path: string) => async (url: string) => {
    await (await fetch(url + path, { headers })).arrayBuffer();
  };
  const firsts = async (run: (url: string) => Promise<unknown>) => {
    const rounds: Firsts[] = [];
    for (let i = 0; i < 3; i += 1) rounds.push(await fresh((url) => timed(() => run(url))));
    const by = (part: keyof Firsts) => median(rounds.map((it) => it[part]));
    return { first: by("first"), later: by("later") };
  };
  const paged = await firsts(page);
  console.log(line("first webhook, to its provider call", shown(paged), `<= ${MAX_FIRST} x`));
  if (paged.first / paged.later > MAX_FIRST) faults.push(`first webhook: ${shown(paged)}`);
  console.log(
    line("first call of the API", shown(await firsts(get("/api/v4/teams"))), "(printed)"),
  );
  console.log(line("first page of the console", shown(await firsts(get("/sign-in"))), "(printed)"));
  provider.stop();
  deleteState(built);
  return faults;
}
