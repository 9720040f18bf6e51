// `npm run standby`: says what a standby is and knows, and has it take over or stand down.
import { parseArgs } from "node:util";
import { backupKeys, isBackupKey } from "../features/operations/backup/backup-seal.ts";
import type { StandbyReport } from "../features/rpc.ts";
import { exitForHelp } from "./help.ts";

export const STANDBY_USAGE =
  "usage: BACKUP_KEY=... npm run standby -- --url https://standby.example.com [--take-over | --stand-down]";

const timeOf = (at: number | null) => (at === null ? "never" : new Date(at).toISOString());

const linesOf = ({ role, byHand, held, drills, deeds, ...it }: StandbyReport): string[] => [
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
  if (!isBackupKey(key)) throw new Error("BACKUP_KEY is needed: the secret of both deployments");
  const headers = { Authorization: `Bearer ${(await backupKeys(key)).token}` };
  const { origin } = new URL(values.url);
  const ask = async (method: string, path: string) => {
    const response = await fetch(origin + path, { method, headers });
    if (response.ok) return response;
    throw new Error(`${origin} refuses: ${(await response.text()).slice(0, 300)}`);
  };
  for (const order of orders) await ask("POST", `/standby/${order}`);
  const report = (await (await ask("GET", "/standby")).json()) as StandbyReport;
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
