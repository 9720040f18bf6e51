// A primary and a standby of it, both under `npm run serve`, with lines between them and to those who see them.
import { appendFileSync } from "node:fs";
import { backupKeys } from "../../../src/features/operations/backup/backup-seal.ts";
import type { StandbyReport } from "../../../src/features/rpc.ts";
import { api, type Target, type World } from "../../crash/load/load.ts";
import { makeWorld } from "../../crash/load/world.ts";
import { type Line, openLine } from "./line.ts";
import { type Mailbox, openMailbox } from "./mailbox.ts";
import {
  makeAccount,
  makePlace,
  type Place,
  removePlace,
  type Server,
  startServer,
} from "./server.ts";

const BACKUP_KEY = "the key of the tests' backups, with many characters";
/** The browsers of the primary's people are the standby's too. */
const VAPID_PRIVATE_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";

export type Deployment = {
  readonly place: Place;
  readonly mailbox: Mailbox;
  server: Server;
};

export type Pair = {
  readonly primary: Deployment;
  readonly standby: Deployment;
  /** To the primary: everybody's, and behind it the standby's own, and that of somebody in another network. */
  readonly front: Line;
  readonly line: Line;
  readonly outside: Line;
  readonly target: Target;
  readonly world: World;
  /** What the standby says of itself. */
  readonly report: () => Promise<StandbyReport>;
  /** Takes over or stands down by hand; returns the status of the answer. */
  readonly command: (step: "take-over" | "stand-down") => Promise<number>;
  readonly close: () => Promise<void>;
};

async function makeDeployment(variables: Readonly<Record<string, string>>) {
  const mailbox = await openMailbox();
  const place = await makePlace({
    ...{ SMTP_URL: mailbox.url, EMAIL_FROM: "pager@acme.com", BACKUP_KEY, RATE_LIMITS: "off" },
    ...{ PAGES_AT_ONCE: "0", VAPID_PRIVATE_KEY, ...variables },
  });
  return { place, mailbox };
}

/** Starts both. The standby asks each second. `timeouts` of the layers (seconds). */
export async function startPair(teams: number, timeouts: readonly number[]): Promise<Pair> {
  const made = await makeDeployment({});
  const { key, accountUserId } = await makeAccount(made.place);
  // Longer than a standby waits.
  const front = await openLine(made.place.url, { lateMs: 12_000 });
  const line = await openLine(front.url);
  const outside = await openLine(front.url, { timeoutMs: 2_000 });
  const other = await makeDeployment({
    ...{ STANDBY_OF: line.url, STANDBY_PROBE: `${outside.url}/ready`, STANDBY_SECONDS: "1" },
  });
  appendFileSync(made.place.config, `STANDBY_URL=${JSON.stringify(other.place.url)}\n`);
  const primary = { ...made, server: await startServer(made.place) };
  const target = { url: () => made.place.url, key };
  const world = await makeWorld(target, accountUserId, teams, timeouts);
  const standby = { ...other, server: await startServer(other.place) };
  const { token } = await backupKeys(BACKUP_KEY);
  const headers = { Authorization: `Bearer ${token}` };
  const at = (path: string) => `${standby.place.url}/standby${path}`;
  return {
    ...{ primary, standby, front, line, outside, target, world },
    report: async () => (await fetch(at(""), { headers })).json() as Promise<StandbyReport>,
    command: async (step) => (await fetch(at(`/${step}`), { method: "POST", headers })).status,
    close: async () => {
      for (const it of [outside, line, front]) it.close();
      for (const it of [primary, standby]) {
        await it.server.stop();
        await it.mailbox.close();
        removePlace(it.place);
      }
    },
  };
}

/**
 * Sends an event to an integration at an address once, as its sender. Returns the status of the answer (200: accepted), or
 * why there is none.
 *
 * @param patienceMs how long the sender waits for the answer
 */
export const sendEvent = (
  { target, world }: Pair,
  url: string,
  body: object,
  { integration = 0, patienceMs = 30_000 } = {},
): Promise<number | string> =>
  fetch(`${url}/integration/${world.integrations[integration]}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${target.key}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  }).then(({ status }) => status, String);

/** Whether the primary shows that its standby has taken over. */
export async function isShownActive({ target }: Pair): Promise<boolean> {
  const { standby } = (await api(target, "/deployment")) as unknown as {
    standby: { active: boolean };
  };
  return standby.active;
}

/** The statuses of the primary's alerts with a title. */
export async function statusesOf({ target }: Pair, title: string): Promise<string[]> {
  const { data } = (await api(target, "/alerts")) as unknown as {
    data: { title: string; status: string }[];
  };
  return data.filter((it) => it.title === title).map(({ status }) => status);
}
