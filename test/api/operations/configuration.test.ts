// An account's configuration as one file (contract 2, Configuration): what is exported, imported
// into an empty account and exported again is the same; an import is whole or nothing.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { leaveDeployment } from "../../support/configuration/copied-account.ts";
import { configurations } from "../../support/configuration/generated-configuration.ts";
import { sized } from "../../support/generated/sizes.ts";
import { putOnCall } from "../../support/worker/world.ts";

type File = Record<string, any>;

/** The export of an account, without the admin who makes the requests. */
async function exported({ api }: Account): Promise<File> {
  const { status, text } = await api("GET", "/configuration");
  expect(status, text).toBe(200);
  const file: File = parse(text);
  const others = file.people.filter(({ email }: File) => !/^admin\.\d/.test(email));
  return { ...file, people: others };
}

const send = ({ api }: Account, file: unknown, query = "") =>
  api("POST", `/configuration${query}`, {
    configuration:
      typeof file === "string" ? file : stringify(file, { aliasDuplicateObjects: false }),
  });

async function apply(account: Account, file: unknown): Promise<File> {
  const { status, body, text } = await send(account, file);
  expect(status, text).toBe(200);
  return body;
}

const TEAM = {
  key: "payments",
  name: "Payments",
  schedule: "payments",
  escalation_policy: "payments",
  members: ["ben@team.example.com"],
  admins: ["ben@team.example.com"],
};
const SMALL = {
  tocsin: 1,
  people: [{ email: "ben@team.example.com", name: "Ben", roles: [] }],
  schedules: [
    { key: "payments", name: "Payments" },
    { key: "spare", name: "Spare" },
  ],
  escalation_policies: [{ key: "payments", name: "P", layers: [{ layer: 1, timeout: 5 }] }],
  teams: [TEAM],
};

test("an export imported into an empty account is exported again as it was", async () => {
  await fc.assert(
    fc.asyncProperty(configurations, async (file) => {
      const [one, other] = [await makeAccount(), await makeAccount()];
      await apply(one, file);
      const first = await exported(one);
      await leaveDeployment(one);
      await apply(other, first);
      const second = await exported(other);
      expect(JSON.stringify(second)).toBe(JSON.stringify(first));
      const before = await writesOf(other);
      const again = await apply(other, second);
      expect(again).toMatchObject({ changes: [], on_call: [] });
      expect(await writesOf(other)).toBe(before);
    }),
    { numRuns: sized(5, 60) },
  );
});

/** A digest of what a change of an account would write: its records, and its history. */
async function writesOf({ accountId }: Account): Promise<string> {
  const tables = ["integrations", "maintenance_windows", "routers", "teams"];
  const people = ["account_users", "company_holidays", "absence_calendars", "absences"];
  const read = [...tables, ...people, "schedules", "escalation_policies", "events"].map((table) =>
    env.DB.prepare(`select id, updated_at from ${table} where account_id = ? order by id`),
  );
  const entries = env.DB.prepare("select id from changes where account_id = ? order by id");
  const results = await env.DB.batch([...read, entries].map((it) => it.bind(accountId)));
  return JSON.stringify(results.map((it) => it.results));
}

test("a file that does not apply in one place changes nothing, and every fault names its place", async () => {
  const account = await makeAccount();
  const before = await exported(account);
  const wrong = {
    ...SMALL,
    escalation_policies: [{ key: "payments", name: "P", layers: [{ layer: 1, timeout: 0 }] }],
    teams: [
      TEAM,
      { ...TEAM, key: "other", members: ["ben@team.example.com", "nobody@example.com"] },
      { ...TEAM, key: "payments", membres: [] },
    ],
  };
  const unread = await send(account, wrong);
  expect(unread.body.errors).toEqual([
    { field: "teams[2].membres", message: expect.stringContaining("is not a field") },
    { field: "teams[2].key", message: "teams[2].key is the one of teams[0] too" },
  ]);
  const unknown = await send(account, { ...wrong, teams: wrong.teams.slice(0, 2) });
  expect(unknown.body.errors.map(({ field }: File) => field)).toEqual(["teams[1].members[1]"]);
  const refused = await send(account, { ...wrong, teams: [TEAM] });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual([
    {
      field: "escalation_policies[0].layers[0].timeout",
      message: "escalation_policies[0].layers[0].timeout must be at least 1",
    },
  ]);
  const loop = await send(account, {
    tocsin: 1,
    routers: [
      { key: "a", name: "A", default_receiver: "router:b" },
      { key: "b", name: "B", default_receiver: "router:a" },
    ],
  });
  expect(loop.body.errors[0].message).toBe("routers[0] leads back to itself: a → b → a");
  expect(await exported(account)).toEqual(before);
});

test("a file too large for one transaction is refused", async () => {
  const account = await makeAccount();
  const schedules = Array.from({ length: 400 }, (_, i) => ({ key: `s${i}`, name: "S" }));
  const { status, body } = await send(account, { tocsin: 1, schedules });
  expect(status).toBe(422);
  expect(body.errors[0].message).toContain("changes 400 records");
  expect((await exported(account)).schedules).toBeUndefined();
});

test("a preview shows fields and who is paged differently, and the history has the changes", async () => {
  const account = await makeAccount();
  await apply(account, SMALL);
  const { body: schedules } = await account.api("GET", "/schedules?sort=name&direction=asc");
  const [payments, spare] = schedules.data;
  expect(payments.meta).toEqual({ key: "payments" });
  await putOnCall(account, spare.id, 1, [account.accountUserId]);
  const moved = {
    tocsin: 1,
    schedules: [{ key: "payments", name: "Old payments" }],
    teams: [{ key: "payments", schedule: "spare" }],
  };
  const preview = await send(account, moved, "?preview=true");
  expect(preview.body).toMatchObject({
    applied: false,
    changes: [
      { path: "schedules[0]", action: "update", fields: [{ field: "name", before: "Payments" }] },
      {
        path: "teams[0]",
        fields: [{ field: "schedule", before: "payments", after: "spare" }],
      },
    ],
    on_call: [
      {
        changes: [{ account_user_ids_before: [], account_user_ids_after: [account.accountUserId] }],
      },
    ],
  });
  expect((await exported(account)).teams[0].schedule).toBe("payments");
  await apply(account, moved);
  expect((await exported(account)).teams[0]).toMatchObject({ schedule: "spare", name: "Payments" });
  const history = await account.api("GET", `/schedules/${payments.id}/changes?limit=10`);
  const entries = history.body.data.map(({ record_kind, verb }: File) => `${verb} ${record_kind}`);
  expect(entries.sort()).toEqual(["create schedule", "update schedule", "update team"]);
});

test("a preview shows who is paged no more when a policy loses a layer, or a team gets another policy", async () => {
  const account = await makeAccount();
  const layers = [1, 2].map((layer) => ({ layer, timeout: 5 }));
  const policies = [
    { key: "payments", name: "P", layers },
    { key: "short", name: "S", layers: layers.slice(0, 1) },
    { key: "slow", name: "T", layers: layers.map((it) => ({ ...it, timeout: 50 })) },
  ];
  await apply(account, { ...SMALL, escalation_policies: policies });
  const { body: schedules } = await account.api("GET", "/schedules?sort=name&direction=asc");
  for (const layer of [1, 2]) {
    await putOnCall(account, schedules.data[0].id, layer, [account.accountUserId]);
  }
  const previewed = async (file: File) =>
    (await send(account, { tocsin: 1, ...file }, "?preview=true")).body.on_call;
  const shorter = { escalation_policies: [{ ...policies[0], layers: layers.slice(0, 1) }] };
  const another = { teams: [{ key: "payments", escalation_policy: "short" }] };
  for (const file of [shorter, another]) {
    expect(await previewed(file)).toMatchObject([
      {
        changes: [
          {
            layer: 2,
            account_user_ids_before: [account.accountUserId],
            account_user_ids_after: [],
          },
        ],
      },
    ]);
  }
  // Other timeouts ask the same people.
  expect(await previewed({ teams: [{ key: "payments", escalation_policy: "slow" }] })).toEqual([]);
});

test("an import of what is exported writes no row", async () => {
  const account = await makeAccount();
  await apply(account, SMALL);
  const { text } = await account.api("GET", "/configuration");
  const batches = vi.spyOn(Object.getPrototypeOf(env.DB.withSession()), "batch");
  const written = async () => {
    const results = await Promise.all(batches.mock.results.map(({ value }) => value));
    const rows = results.flat().map(({ meta }: D1Result) => meta.rows_written);
    return rows.reduce((sum, n) => sum + n, 0);
  };
  const { body } = await send(account, text);
  expect(body).toMatchObject({ applied: true, changes: [], on_call: [] });
  expect(await written()).toBe(0);
  await apply(account, { tocsin: 1, schedules: [{ key: "spare", name: "Other" }] });
  expect(await written()).toBeGreaterThan(0);
  vi.restoreAllMocks();
});
