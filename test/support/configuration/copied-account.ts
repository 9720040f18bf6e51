// Copies an account by its configuration file, and compares who is on call in both, by names.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { parse } from "yaml";
import type { ConfigurationImport } from "../../../src/features/operations/configuration/contract.ts";
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

type Copy = Account & {
  /** What was said before it was applied. */
  readonly preview: ConfigurationImport;
};

/** An account that has the configuration of another one. */
export async function copyAccount(account: Account): Promise<Copy> {
  const configuration = await exportOf(account);
  await leaveDeployment(account);
  const copy = await makeAccount();
  const { body: preview } = await copy.api("POST", "/configuration?preview=true", {
    configuration,
  });
  const { status, text } = await copy.api("POST", "/configuration", { configuration });
  expect(status, `${text}\n${configuration}`).toBe(200);
  return { ...copy, preview };
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

/** The hours [start, end) of each person on each layer of one schedule, one after the other: `2 ada@example.com`. */
function hoursOfPeople(
  windows: readonly (readonly [
    layer: number,
    start: number,
    end: number,
    who: readonly string[],
  ])[],
  until: number,
): Map<string, number[]> {
  const hours = new Map<string, number[]>();
  for (const [layer, start, end, who] of windows.toSorted((one, other) => one[1] - other[1])) {
    for (const person of start < until ? who : []) {
      const known = hours.get(`${layer} ${person}`) ?? [];
      const last = known.at(-1) ?? Number.NEGATIVE_INFINITY;
      if (last >= start) known.splice(-1, 1, Math.max(last, Math.min(end, until)));
      else known.push(start, Math.min(end, until));
      hours.set(`${layer} ${person}`, known);
    }
  }
  return hours;
}

/** Whom a preview of a copy says to be paged, and who then is on call, in the weeks after `now` (epoch ms). */
export async function previewedAndServed({ preview, ...copy }: Copy, now: number) {
  const emails = new Map(
    preview.changes
      .filter(({ kind }) => kind === "account_user")
      .map(({ record_id, key }) => [record_id, key]),
  );
  const until = now + 42 * DAY;
  const said = preview.on_call.flatMap(({ changes }) =>
    changes.map(
      ({ layer, start_time, end_time, account_user_ids_before, account_user_ids_after }) => {
        expect(account_user_ids_before).toEqual([]);
        const who = account_user_ids_after.map((id) => emails.get(id) ?? "?");
        return [layer, Date.parse(start_time), Date.parse(end_time), who] as const;
      },
    ),
  );
  const served = (await servedIn(copy, now, 42)).map((line) => {
    const [, layer, hours = "", who = ""] = line.split(" ");
    const [start = "", end = ""] = hours.split("..");
    return [Number(layer), Date.parse(start), Date.parse(end), who.split(",")] as const;
  });
  const [policy] = parse(await exportOf(copy)).escalation_policies;
  const layers: readonly { layer: number }[] = policy.layers;
  const asked = served.filter(([layer]) => layers.some((it) => it.layer === layer));
  return { previewed: hoursOfPeople(said, until), served: hoursOfPeople(asked, until) };
}
