// `npm run bench`: measures the performance budgets under `wrangler dev`, as ratios within one run, and
// fails above those that are counts. `--only <part>` runs one part; `--events 1000` makes the storm
// smaller, `--alerts 200` the database whose bytes are measured. `--only full` fills a database with a
// million alerts, `--only backup` backs up and restores 100,000. `--against goalert --goalert <program> --postgres <URL>` compares
// `npm run serve` with a GoAlert.
import { parseArgs } from "node:util";
import { buildAssets } from "../../src/setup/assets.ts";
import { exitForHelp } from "../../src/setup/help.ts";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { EMAIL } from "../support/worker/dev-worker.ts";
import { against } from "./against/against.ts";
import { answers } from "./answers/answers.ts";
import { backups } from "./backup/backups.ts";
import { benchOnCall } from "./calculations/oncall.ts";
import { benchTypes } from "./calculations/types.ts";
import { cold } from "./cold/cold.ts";
import { consoles } from "./console/console.ts";
import { invocations } from "./cpu/cpu.ts";
import { full } from "./fill/full.ts";
import { floor } from "./floor/floor.ts";
import { budgets } from "./latency/budgets.ts";
import { price } from "./price/price.ts";
import { type Prepared, prepare, type Server } from "./server.ts";
import { limitedStorm, storm, type Target } from "./storm/storm.ts";
import { makeWorld } from "./world.ts";

exitForHelp(
  "usage: npm run bench -- [--only <part>] [--events 10000] [--alerts 2000]\n" +
    "  [--against goalert --goalert <program> --postgres <URL>]",
);
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    events: { type: "string", default: "10000" },
    alerts: { type: "string" },
    against: { type: "string" },
    goalert: { type: "string" },
    postgres: { type: "string" },
  },
});
/** More events than the rate limit of an integration allows in ten seconds. */
const OVER_THE_RATE = 3_000;
/** Number of alerts by which bytes are measured. */
const FILLING = 2_000;

/** Number of alerts that fill a database. */
const FULL = 1_000_000;

/** Number of alerts that are backed up and restored. */
const BACKED_UP = 100_000;

/** Number of events of each kind sent to both sides of a comparison. */
const COMPARED = 2_000;

/** Number of events of each kind in a round beside the skeleton. */
const BESIDE_FLOOR = 600;

/** No rate limits, and a message for every page. */
const UNLIMITED = { RATE_LIMITS: "off", PAGES_AT_ONCE: "0" };

type Part = {
  /** Whether it runs without `--only`. */
  readonly always: boolean;
  /** Prints its section; returns the violated budgets and guarantees. */
  readonly run: () => Promise<string[]>;
};

const PARTS: Readonly<Record<string, Part>> = {
  latency: {
    always: true,
    run: () =>
      onWorker((bench) =>
        bench.during(UNLIMITED, async (server) => {
          await budgets(server);
          return [];
        }),
      ),
  },
  price: {
    always: true,
    run: () =>
      onWorker((bench) =>
        bench.during(UNLIMITED, (server) => price(server, Number(values.alerts ?? FILLING))),
      ),
  },
  answers: { always: true, run: () => onWorker((bench) => answers(bench, UNLIMITED)) },
  console: {
    always: true,
    run: () => onWorker((bench) => bench.during(UNLIMITED, consoles)),
  },
  cold: { always: true, run: cold },
  cpu: { always: true, run: invocations },
  floor: { always: true, run: () => floor(Number(values.alerts ?? BESIDE_FLOOR)) },
  storm: { always: true, run: () => onWorker(storms) },
  full: {
    always: false,
    run: () => onWorker((bench) => full(bench, Number(values.alerts ?? FULL))),
  },
  backup: {
    always: false,
    run: () => onWorker((bench) => backups(bench, Number(values.alerts ?? BACKED_UP))),
  },
  against: { always: false, run: compareWithGoAlert },
  calculations: {
    always: true,
    run: async () => {
      benchOnCall();
      benchTypes();
      return [];
    },
  },
};

exitWhenStopped();
await buildAssets();
const faults: string[] = [];
for (const part of chosen()) faults.push(...(await part.run()));
for (const fault of faults) console.log(`NOT KEPT: ${fault}`);
process.exit(faults.length > 0 ? 1 : 0);

function chosen(): Part[] {
  const only = values.against === undefined ? values.only : "against";
  if (only === undefined) return Object.values(PARTS).filter(({ always }) => always);
  const part = PARTS[only];
  if (part) return [part];
  console.error(`--only is one of ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}

/** Runs a part on a worker of its own, with an empty database. */
async function onWorker<Result>(work: (bench: Prepared) => Promise<Result>): Promise<Result> {
  const bench = await prepare();
  process.once("exit", bench.forget);
  try {
    return await work(bench);
  } finally {
    process.off("exit", bench.forget);
    bench.forget();
  }
}

async function compareWithGoAlert(): Promise<string[]> {
  const { goalert: program, postgres: database } = values;
  if (values.against !== "goalert" || !program || !database) {
    console.error("--against goalert --goalert <program> --postgres <URL of an empty database>");
    process.exit(2);
  }
  await against({ program, database }, Number(values.alerts ?? COMPARED));
  return [];
}

async function storms(bench: Prepared): Promise<string[]> {
  let target: Target | null = null;
  const faults = await bench.during({ RATE_LIMITS: "off" }, async (server) => {
    target = await targetOf(server);
    return storm(target, Number(values.events), async (email) => {
      const { calls } = await server.report();
      return calls.filter(({ to }) => to.includes(email)).length;
    });
  });
  const limited = await bench.during({ RATE_LIMITS: "on" }, ({ url }) =>
    limitedStorm({ ...(target as Target | null as Target), url }, OVER_THE_RATE),
  );
  return [...faults, ...limited];
}

async function targetOf(server: Server): Promise<Target> {
  const { url } = server;
  const { intake, integrationId } = await makeWorld(server);
  const quiet = await makeWorld(server, "nobody on call");
  return { url, intake, integrationId, quietIntake: quiet.intake, email: EMAIL };
}
