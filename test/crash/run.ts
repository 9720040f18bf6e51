// `npm run crash`: kills the worker with SIGKILL at random instants under load, starts it again on what it left, and
// checks that everything it said yes to is there, that nobody was paged twice, and that nothing is stuck.
// `--kills 20 --requests 2000` is what it does unless told otherwise; exits with 1 when a promise was broken. With
// `--hasty` it does not wait for pages that were in a dying hand: it is enough that their sender still has them.
import { parseArgs } from "node:util";
import { exitWhenStopped } from "../../src/setup/stopped.ts";
import { drawing, seed } from "../support/generated/sizes.ts";
import {
  type Built,
  buildWorker,
  forgetState,
  freePort,
  type Running,
  startWorker,
} from "../support/worker/dev-worker.ts";
import { api, newLedger, oneRequest, type Target, type World } from "./load.ts";
import { type Provider, startProvider } from "./provider.ts";
import { findDoubles, findFaults } from "./remains.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    requests: { type: "string", default: "2000" },
    hasty: { type: "boolean", default: false },
  },
});
const KILLS = Number(values.kills);
const REQUESTS = Number(values.requests);
const draw = drawing();
/** Requests in hand at a time. */
const SIDE_BY_SIDE = 8;
/** How long a life is at least and at most (ms). */
const LIFE_MS = [300, values.hasty ? 1_500 : 3_000] as const;
/** Layers of the teams (seconds): short, so that they run out while the worker dies. */
const LAYERS = values.hasty ? [3, 2] : [6, 4];
/** What has not moved for this long in the end will not by itself (ms): longer than any lease, pause or queue. */
const STILL_MS = 90_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** A few teams with somebody on call on each of their layers, each with an integration. */
async function makeWorld(target: Target, accountUserId: string, teams: number): Promise<World> {
  const types = await api(target, "/integration_types/webhook");
  const teamIds: string[] = [];
  const integrations: string[] = [];
  for (let n = 1; n <= teams; n += 1) {
    const policy = await api(target, "/escalation_policies", {
      name: `Policy ${n}`,
      escalation_layers_attributes: LAYERS.map((timeout, i) => ({
        ...{ layer: i + 1, timeout, timeout_unit: "seconds" },
      })),
    });
    const team = await api(target, "/teams", {
      name: `Team ${n}`,
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [accountUserId],
      escalation_policy_id: policy.id,
      drop_notifications: "none",
    });
    for (const [i] of LAYERS.entries()) {
      const person = await api(target, "/account_users", {
        user_attributes: {
          name: `Person ${n} ${i}`,
          emails_attributes: [{ email: `person.${n}.${i}@example.com` }],
        },
      });
      await api(target, "/events", {
        start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
        end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
        ...{ layer: i + 1, time_zone: "UTC" },
        schedule_ids: [team.schedule_id],
        account_user_ids: [person.id],
      });
    }
    const integration = await api(target, "/integrations", {
      ...{ name: `Sender ${n}`, urgency: "high", integration_type_id: types.id },
      team_ids: [team.id],
    });
    teamIds.push(team.id ?? "");
    integrations.push(integration.prefix_id ?? "");
  }
  return { teamIds, integrations };
}

/** Until the new people's own mails are sent: in haste nobody waits for one that was in a dying hand. */
async function welcomed(target: Target): Promise<void> {
  for (let looks = 0; looks < 300; looks += 1) {
    const waiting = await api(target, "/notifications?status=queued");
    if (Number(waiting.total_count) === 0) return;
    await pause(200);
  }
  throw new Error("the mails of new people were not sent");
}

/** Until nothing is open and, unless in haste, every mail is sent; what no longer moves is found on disk. */
async function settled(target: Target): Promise<void> {
  let [quiet, movedAt, before] = [0, Date.now(), ""];
  while (quiet < 3 && Date.now() < movedAt + STILL_MS) {
    await pause(values.hasty ? 300 : 1_000);
    // Cron does not fire here: this is how it is told to.
    await fetch(`${target.url()}/cdn-cgi/handler/scheduled`).catch(() => null);
    const paths = ["/alerts?status=open", "/alerts?status=queued"];
    if (!values.hasty) paths.push("/notifications?status=queued", "/notifications?status=sent");
    const lists = await Promise.all(paths.map((path) => api(target, path).catch(() => null)));
    const counts = lists.map((it) => Number(it?.total_count ?? -1));
    if (String(counts) !== before) movedAt = Date.now();
    before = String(counts);
    // That nothing is left is believed in haste only: pages wait in outboxes, too, where readers do not see them.
    quiet = values.hasty && counts.every((it) => it === 0) ? quiet + 1 : 0;
  }
  // What the last page's confirmation and the last logs need.
  await pause(3_000);
}

async function crash(built: Built, provider: Provider) {
  const port = await freePort();
  const variables: Record<string, string> = {
    RATE_LIMITS: "off",
    PAGES_AT_ONCE: "0",
    RESEND_API_KEY: "none",
    PROVIDER: provider.url,
  };
  const start = () => startWorker(built, port, variables, "/api/v4/users");
  let running: Running = await start();
  let isUp = true;
  const target = { url: () => running.url, key: built.key };
  const world = await makeWorld(target, built.accountUserId, KILLS > 5 ? 8 : 3);
  if (values.hasty) await welcomed(target);
  const ledger = newLedger();
  const kills: number[] = [];
  let sent = 0;
  let isOver = false;
  const send = async () => {
    while (!isOver && sent < REQUESTS) {
      sent += 1;
      await oneRequest(target, world, ledger, sent, Math.ceil(REQUESTS / 20));
      // Spread over all the lives: the last one gets what is left.
      const share = (REQUESTS * (kills.length + 1)) / (KILLS + 1);
      while (!isOver && (!isUp || (kills.length < KILLS && sent >= share))) await pause(20);
    }
  };
  const senders = Promise.all(Array.from({ length: SIDE_BY_SIDE }, send));
  try {
    while (kills.length < KILLS) {
      await pause(LIFE_MS[0] + draw() * (LIFE_MS[1] - LIFE_MS[0]));
      kills.push(Date.now());
      const killed = running.kill();
      isUp = false;
      await killed;
      running = await start();
      isUp = true;
    }
    await senders;
    await settled(target);
  } finally {
    isOver = true;
    await running.kill();
  }
  return { ledger, kills, sent };
}

exitWhenStopped();
const provider = await startProvider();
const built = await buildWorker("crash", "test/crash/worker.ts");
try {
  const { ledger, kills, sent } = await crash(built, provider);
  const { inWindow, unexplained } = findDoubles(provider.taken, kills);
  const found = findFaults(built.state, ledger, values.hasty);
  const faults = [...found.faults, ...unexplained];
  const accepted = [...ledger.webhooks.values()].reduce((sum, it) => sum + it.accepted, 0);
  console.log(
    JSON.stringify({
      ...{ seed, kills: kills.length, requests: sent, unanswered: ledger.unanswered, accepted },
      ...{ created: ledger.created.length, acknowledged: ledger.acknowledged.size },
      ...{ resolved: ledger.resolved.size, mails: provider.taken.length },
      ...{ sentAgainInTheWindow: inWindow, stillOnTheirWay: found.onTheirWay },
      faults: faults.slice(0, 50),
    }),
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  provider.stop();
  if (process.exitCode === 1) console.log(`what it left is in ${built.state}`);
  else forgetState(built);
}
process.exit();
