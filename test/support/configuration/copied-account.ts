// Copies an account by its configuration file, and compares who is on call in both, by names.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Account } from "../api/api.ts";
import { makeAccount } from "../api/api.ts";

const DAY = 86_400_000;

/** The text of an account's configuration. */
export async function exportOf({ api }: Account): Promise<string> {
  const { status, text } = await api("GET", "/configuration");
  expect(status, text).toBe(200);
  return text;
}

/** Frees the addresses of an account, as in a deployment that does not have it. */
export const leaveDeployment = ({ accountId }: Account) =>
  env.DB.prepare("update user_emails set verified_at = null where account_id = ?")
    .bind(accountId)
    .run();

/** An account that has the configuration of another one. */
export async function copyAccount(account: Account): Promise<Account> {
  const configuration = await exportOf(account);
  await leaveDeployment(account);
  const copy = await makeAccount();
  const { status, text } = await copy.api("POST", "/configuration", { configuration });
  expect(status, `${text}\n${configuration}`).toBe(200);
  return copy;
}

type Named = { readonly id: string; readonly prefix_id: string };
type Entry = {
  readonly layer: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly attendees: readonly { readonly attendee_id: string }[];
};

async function all({ api }: Account, path: string): Promise<any[]> {
  const { status, body, text } = await api(
    "GET",
    `${path}?limit=100&sort=created_at&direction=asc`,
  );
  expect(status, text).toBe(200);
  return body.data;
}

const keyOf = (it: Named & { meta: Record<string, unknown> }) =>
  String(it.meta.key ?? it.prefix_id);

/** Who is on call, by schedule, layer and hours, in the days from an instant (epoch ms) on. */
export async function servedIn(account: Account, from: number, days = 120): Promise<string[]> {
  const people = new Map(
    (await all(account, "/account_users")).map((it) => [
      it.id,
      String(it.user.emails.find((email: any) => email.primary)?.email),
    ]),
  );
  const window = `start=${new Date(from).toISOString()}&end=${new Date(from + days * DAY).toISOString()}`;
  const lines: string[] = [];
  for (const schedule of await all(account, "/schedules")) {
    const { body, status, text } = await account.api(
      "GET",
      `/schedules/${schedule.id}/window_events?${window}`,
    );
    expect(status, text).toBe(200);
    for (const { layer, start_time, end_time, attendees } of body as Entry[]) {
      const start = new Date(Math.max(from, Date.parse(start_time))).toISOString();
      const who = attendees.map((it) => people.get(it.attendee_id) ?? "?").sort();
      lines.push(`${keyOf(schedule)} ${layer} ${start}..${end_time} ${who.join()}`);
    }
  }
  return lines.sort();
}
