// `npm run standby`: says what a standby is and knows, and has it take over or stand down.
import { parseArgs } from "node:util";
import { backupKeys, isBackupKey } from "../features/operations/backup/backup-seal.ts";
import type { ServedReport } from "../features/operations/standby/serve-standby.ts";
import { exitForHelp } from "./help.ts";

export const STANDBY_USAGE =
  "usage: BACKUP_KEY=... npm run standby -- --url https://standby.example.com [--take-over | --stand-down]";

const timeOf = (at: number | null) => (at === null ? "never" : new Date(at).toISOString());

const linesOf = ({ role, byHand, held, drills, deeds, ...it }: ServedReport): string[] => [
  `${role === "active" ? "it has taken over" : "it is silent"}${byHand ? ", as a person decided" : ""}`,
  `the primary answered last: ${timeOf(it.answeredAt)}`,
  `snapshot to take over with: ${timeOf(it.snapshotAt)}`,
  `last take-over: ${timeOf(it.takenOverAt)}`,
  `events that the primary has not confirmed: ${held}`,
  ...deeds.map(({ at, order, by }) => `${timeOf(at)}: ${order.replace("_", " ")} by ${by}`),
  ...drills.map(
    (drill) => `drill of ${timeOf(drill.startedAt)}: ${drill.status.replace("_", " ")}`,
  ),
];

/** Why a deployment refuses, by the status of its answer. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: "its BACKUP_KEY is another one",
  404: "it has no BACKUP_KEY, or is no Tocsin",
};

async function ask(origin: string, token: string, method: string, path: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(origin + path, { method, headers }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause : error;
    throw new Error(`${origin} does not answer: ${cause.message || error.message}`);
  });
  if (response.ok) return response;
  const reason = REFUSALS[response.status] ?? (await response.text()).slice(0, 300);
  throw new Error(`${origin} refuses: ${reason}`);
}

async function run(args: readonly string[], key: string | undefined): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: "string" },
      "take-over": { type: "boolean" },
      "stand-down": { type: "boolean" },
    },
  });
  const orders = (["take-over", "stand-down"] as const).filter((it) => values[it]);
  if (values.url === undefined || orders.length > 1) throw new Error(STANDBY_USAGE);
  if (!key) throw new Error("BACKUP_KEY is needed: the secret of both deployments");
  if (!isBackupKey(key)) throw new Error("BACKUP_KEY is too short: it has 32 characters or more");
  const { origin } = new URL(values.url);
  const { token } = await backupKeys(key);
  const read = async () => (await ask(origin, token, "GET", "/standby")).json();
  const { of } = (await read()) as ServedReport;
  if (of === null) throw new Error(`${origin} is no standby: it has no STANDBY_OF`);
  for (const order of orders) await ask(origin, token, "POST", `/standby/${order}`);
  const report = (await read()) as ServedReport;
  console.log(linesOf(report).join("\n"));
  return 0;
}

exitForHelp(STANDBY_USAGE);
process.exitCode = await run(process.argv.slice(2), process.env.BACKUP_KEY).catch(
  (error: Error) => {
    console.error(error.message);
    return 1;
  },
);
