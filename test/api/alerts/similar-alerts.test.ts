// The alerts of the last 30 days that are like another: which of them are, how many are looked at, who resolved
// them, and their last comment.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { soon } from "../../support/worker/faults.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
  type Team,
} from "../../support/worker/world.ts";

const DAY = 86_400_000;

let account: Account;
let ann: Person;
let [team, night]: Team[] = [];
let integration: Integration;
let other: Integration;

type Made = { readonly id: string; readonly prefix_id: string; readonly title: string };

/** Sends an event that creates an alert; returns the alert. */
async function fire(title: string, from = integration, id = title): Promise<Made> {
  await from.send({ event_type: "create", Id: id, Title: title });
  let made: Made | undefined;
  await vi.waitFor(async () => {
    const query = `thirdparty_id=${encodeURIComponent(id)}&source_id=${from.id}`;
    const { body } = await account.api("GET", `/alerts?${query}`);
    made = body.data.find((it: Made) => it.title === title);
    expect(made).toBeDefined();
  }, soon);
  return made as Made;
}

const act = async ({ id }: Made, step: string, body: object = {}, key = ann.key) => {
  const reply = await call("POST", `/api/v4/alerts/${id}/${step}`, { key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
};

const similar = async ({ prefix_id: id }: Made) => {
  const { status, body, text } = await account.api("GET", `/alerts/${id}/similar`);
  expect(status, text).toBe(200);
  return body;
};

const idsOf = (found: { alerts: { alert_id: string }[] }) =>
  found.alerts.map(({ alert_id: id }) => id);

/** Copies an alert, as if it had been created that long ago (ms), for a destination. */
async function copyAlert({ id }: Made, ago: number, destinationId: string, count = 1) {
  const copies = Array.from({ length: count }, (_, i) => newId(Date.now() - ago - i));
  const { results } = await env.DB.prepare("pragma table_info(alerts)").all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => name !== "prefix_id");
  const values = names.map((name) =>
    name === "id" ? "it.value" : name === "thirdparty_id" ? "it.value" : `t."${name}"`,
  );
  await env.DB.batch([
    env.DB.prepare(
      `insert into alerts (${names.join()}) select ${values.join()}
        from alerts t, json_each(?1) it where t.id = ?2`,
    ).bind(JSON.stringify(copies), id),
    env.DB.prepare(
      `insert into alert_destinations (account_id, destination_id, alert_id, escalated)
        select account_id, ?3, it.value, 1 from alerts t, json_each(?1) it where t.id = ?2`,
    ).bind(JSON.stringify(copies), id, destinationId),
  ]);
  return copies;
}

beforeAll(async () => {
  account = await makeAccount();
  ann = await makePerson(account, "Ann");
  const layers = [{ seconds: 600, people: [ann.accountUserId] }];
  [team, night] = [await makeTeam(account, layers), await makeTeam(account, layers)];
  integration = await makeIntegration(account, [team.id]);
  other = await makeIntegration(account, [team.id]);
});

test("are of the same source, and have the same title but for numbers", async () => {
  const first = await fire("Disk 91 % full on db-1");
  await act(first, "resolve");
  const second = await fire("Disk 99 % full on db-2");
  await fire("Disk 91 % full on cache-1");
  await fire("Disk 91 % full on db-3", other);
  const asked = await fire("disk 5 % full on DB-4");
  const found = await similar(asked);
  expect(found).toEqual({
    count: 2,
    complete: true,
    alerts: [
      {
        ...{ alert_id: second.id, title: second.title, status: "open" },
        ...{ created_at: expect.any(String), resolved_at: null, resolved_by: null },
        last_comment: null,
      },
      {
        ...{ alert_id: first.id, title: first.title, status: "resolved" },
        ...{ created_at: expect.any(String), resolved_at: expect.any(String), resolved_by: "Ann" },
        last_comment: null,
      },
    ],
  });
  expect((await fewestTrips(1, () => similar(asked))).trips).toBe(1);
});

test("have the name of who resolved them, unless they were merged", async () => {
  const [bySender, leader, merged] = [
    await fire("Lag of 1 s"),
    await fire("Lag of 2 s"),
    await fire("Lag of 3 s"),
  ];
  await integration.send({ event_type: "resolve", Id: bySender.title });
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts/${bySender.id}`);
    expect(body.status).toBe("resolved");
  }, soon);
  await act(leader, "merge", { alert_ids: [merged.id] });
  const { alerts } = await similar(leader);
  expect(
    alerts.map((it: { status: string; resolved_by: string }) => [it.status, it.resolved_by]),
  ).toEqual([
    ["resolved", null],
    ["resolved", "integration Monitoring"],
  ]);
});

test("are the newest five, and the newest with a comment", async () => {
  const made = [];
  for (let i = 1; i <= 8; i += 1) made.push(await fire(`Queue ${i} is stuck`));
  const [oldest, older, ...rest] = made as [Made, Made, ...Made[]];
  const asked = rest.at(-1) as Made;
  const newest = rest.slice(0, -1).toReversed();
  expect(idsOf(await similar(asked))).toEqual(newest.map(({ id }) => id));
  await act(oldest, "comments", { body: "Nothing helped" });
  await act(older, "comments", { body: "Restarted the worker" });
  await act(older, "comments", { body: `It helped ${"a lot ".repeat(200)}` });
  const found = await similar(asked);
  expect(found.count).toBe(7);
  expect(idsOf(found)).toEqual([...newest.map(({ id }) => id), older.id]);
  expect(found.alerts.at(-1).last_comment).toEqual({
    ...{ body: expect.stringMatching(/^It helped a lot/), created_by_name: "Ann" },
    created_at: expect.any(String),
  });
  expect(found.alerts.at(-1).last_comment.body).toHaveLength(500);
  await act(newest[0] as Made, "comments", { body: "Again" });
  const again = await similar(asked);
  expect(idsOf(again)).toEqual(newest.map(({ id }) => id));
  expect(again.alerts[0].last_comment.body).toBe("Again");
});

test("are of the last 30 days, whatever team has them if their Id is the same", async () => {
  const asked = await fire("Backup 7 failed", integration, "backup");
  const [young] = await copyAlert(asked, 29 * DAY, team?.id ?? "");
  await copyAlert(asked, 31 * DAY, team?.id ?? "");
  await copyAlert(asked, DAY, night?.id ?? "");
  expect(idsOf(await similar(asked))).toEqual([young]);
  await env.DB.prepare("update alerts set thirdparty_id = 'backup' where title = ?")
    .bind(asked.title)
    .run();
  expect(await similar(asked)).toMatchObject({ count: 2, complete: true });
});

test("are counted among a bounded number of alerts, and the answer says so", async () => {
  const busy = await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }]);
  const from = await makeIntegration(account, [busy.id]);
  const asked = await fire("Flood 1", from);
  await copyAlert(asked, DAY, busy.id, 499);
  expect(await similar(asked)).toMatchObject({ count: 499, complete: true });
  await copyAlert(asked, 2 * DAY, busy.id, 20);
  expect(await similar(asked)).toMatchObject({ count: 499, complete: false });
});

test("of an alert that somebody created are those that they created, and nobody's of another account", async () => {
  const body = { title: "Call 5", urgency: "low", destination_team_ids: [team?.id] };
  const create = async (key: string) =>
    (await call("POST", "/api/v4/alerts", { key, body })).body as Made;
  const bob = await makePerson(account, "Bob");
  const one = await create(ann.key);
  await create(bob.key);
  const two = await create(ann.key);
  expect(idsOf(await similar(two))).toEqual([one.id]);
  const stranger = await makeAccount("Eve");
  expect((await stranger.api("GET", `/alerts/${two.id}/similar`)).status).toBe(404);
});
