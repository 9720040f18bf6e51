import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Actor } from "../../../src/domain/access/actor.ts";
import type { Identifier, RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { type Refusal, refuse } from "../../../src/domain/shared/refusal.ts";
import type { Decision } from "../../../src/features/change/change.ts";
import { commit, commitChange, commitUnread } from "../../../src/features/change/commit.ts";
import { commitComposed, composeChange } from "../../../src/features/change/compose.ts";
import type { Context } from "../../../src/features/change/context.ts";
import { preview } from "../../../src/features/change/preview.ts";
import { notificationRuleRecords as records } from "../../../src/features/routing/notification-rules/notification-rule-records.ts";
import { notificationRules } from "../../../src/features/schema/integrations.ts";
import { build } from "../../../src/kernel/db/database.ts";
import { assertPrecondition, isPreconditionFailed } from "../../../src/kernel/db/precondition.ts";
import { oneRecord, selectRecord } from "../../../src/kernel/db/records.ts";
import { first, select } from "../../../src/kernel/db/select.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";

const SECRET = "Nobody may read this in a log";

let account: Account;
let id: string;
let work: Promise<unknown>[];
const lines = vi.fn();

beforeEach(async () => {
  account = await makeAccount();
  const { body } = await account.api("POST", "/notification_rules", { name: "Nights" });
  id = body.id;
  work = [];
  lines.mockClear();
  vi.spyOn(console, "log").mockImplementation(lines);
  vi.spyOn(env, "LOG_CHANGES", "get").mockReturnValue("on");
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(work);
});

function contextOf(more: Partial<Context> = {}): Context {
  const { accountId, accountUserId } = account;
  const actor: Actor = { kind: "link", accountId, accountUserId, name: "Ada" };
  return {
    env,
    db: env.DB,
    actor,
    now: Date.now(),
    stillAllowed: [],
    waitUntil: (it) => work.push(it),
    ...more,
  };
}

const identifier = () => ({ form: "id", value: id }) as const;

async function stored() {
  const record = await first(env.DB, selectRecord(records, account.accountId, identifier()));
  if (record === null) throw new Error("the rule is gone");
  return record;
}

const rename = (name: string) =>
  build.update(notificationRules).set({ name }).where(eq(notificationRules.id, id));

const remove = () =>
  build
    .delete(notificationRules)
    .where(oneRecord(notificationRules, account.accountId, identifier()));

const UNMET = assertPrecondition(sql`1 = 2`);

describe("a change", () => {
  test("returns the changed record and the rows of further reads, which see the change", async () => {
    const before = await stored();
    const change = { verb: "update", records, id, before, writes: [rename("Days")] };
    const { after, rows } = await commitChange(contextOf(), change, [
      select(
        { name: notificationRules.name },
        sql`from ${notificationRules} where ${notificationRules.id} = ${id}`,
      ),
      sql`select 1 as one`,
    ]);
    expect(after).toEqual({ ...before, name: "Days" });
    expect(rows).toEqual([[{ name: "Days" }], [{ one: 1 }]]);
    expect(await stored()).toEqual(after);
  });

  test("that deletes the record returns null", async () => {
    const change = { verb: "delete", records, id, before: await stored(), writes: [remove()] };
    expect((await commitChange(contextOf(), change)).after).toBeNull();
  });

  test.each(["of the change", "of the actor's permission"])(
    "with a failed precondition, %s, writes and logs nothing",
    async (whose) => {
      const before = await stored();
      const isPermission = whose === "of the actor's permission";
      const context = contextOf({ stillAllowed: isPermission ? [UNMET] : [] });
      const writes = isPermission ? [rename("Days")] : [rename("Days"), UNMET];
      const team = { ...records, kind: "team" as const };
      const failed = commitChange(context, { verb: "update", records: team, id, before, writes });
      expect(isPreconditionFailed(await failed.catch((error: unknown) => error))).toBe(true);
      expect(await stored()).toEqual(before);
      expect(lines).not.toHaveBeenCalled();
      expect(work).toEqual([]);
    },
  );
});

describe("the log line", () => {
  test("names the actor and the changed fields, but no value", async () => {
    const before = await stored();
    const columns = { name: SECRET, enabled: false, meta: { SECRET }, updatedAt: Date.now() + 1 };
    const update = build.update(notificationRules).set(columns).where(eq(notificationRules.id, id));
    await commitChange(contextOf(), { verb: "update", records, id, before, writes: [update] });
    expect(lines.mock.calls).toEqual([
      [
        {
          message: "change",
          verb: "update",
          kind: "notification_rule",
          id,
          account: account.accountId,
          by: "link",
          person: account.accountUserId,
          fields: ["meta", "name", "enabled"],
        },
      ],
    ]);
    const text = JSON.stringify(lines.mock.calls);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("Nights");
  });

  test("has no person for the system, and no field if none changed", async () => {
    const { accountId } = account;
    const before = await stored();
    const context = contextOf({ actor: { kind: "system", accountId } });
    const writes = [rename(before.name)];
    await commitChange(context, { verb: "update", records, id, before, writes });
    expect(lines.mock.calls[0]).toMatchObject([{ by: "system", person: null, fields: [] }]);
  });

  test.each(["create", "delete"])("of a %s names every field", async (verb) => {
    const record = await stored();
    const writes = verb === "delete" ? [remove()] : [rename(SECRET)];
    const before = verb === "delete" ? record : null;
    await commitChange(contextOf(), { verb, records, id, before, writes });
    const fields = Object.keys(record).filter((name) => name !== "updated_at");
    expect(lines.mock.calls[0]).toMatchObject([{ verb, fields }]);
    expect(JSON.stringify(lines.mock.calls)).not.toContain(SECRET);
  });
});

describe("the notice of an on-call change", () => {
  const onCallKinds: RecordKind[] = [
    "account_user",
    "escalation_policy",
    "event",
    "schedule",
    "team",
  ];
  const otherKinds: RecordKind[] = ["router", "notification_rule", "integration"];

  test.each(onCallKinds)("is sent after a change of this kind: %s", async (kind) => {
    // The row that a trigger would insert. The team does not exist, so that nobody is notified.
    const insert = sql`insert into on_call_changes (id, account_id, kind, version)
      values (${id}, ${account.accountId}, 'team', 'first')`;
    const change = { verb: "update", records: { ...records, kind }, id, before: await stored() };
    await commitChange(contextOf(), { ...change, writes: [insert] });
    expect(work).toHaveLength(1);
    await Promise.all(work);
    const waiting = "select id from on_call_changes where account_id = ?";
    const left = await env.DB.prepare(waiting).bind(account.accountId).all();
    expect(left.results).toEqual([]);
  });

  test.each(otherKinds)("is not sent after a change of this kind: %s", async (kind) => {
    const before = await stored();
    const change = { verb: "update", records: { ...records, kind }, id, before };
    await commitChange(contextOf(), { ...change, writes: [rename("Days")] });
    expect(work).toEqual([]);
  });
});

describe("a change without a read before it", () => {
  function renameUnread(named: Identifier, { scope = sql`1 = 1`, context = contextOf() } = {}) {
    const { accountId } = context.actor;
    const rename = build
      .update(notificationRules)
      .set({ name: "Days" })
      .where(and(oneRecord(notificationRules, accountId, named), scope));
    const change = { verb: "update", records, identifier: named, scope, writes: [rename] };
    return commitUnread(context, change);
  }

  test("returns the record before and after it, by either form of the identifier", async () => {
    const before = await stored();
    const after = { ...before, name: "Days" };
    expect(await renameUnread(identifier())).toEqual({ before, after, rows: [] });
    const other = { form: "prefix_id", value: before.prefix_id } as const;
    expect(await renameUnread(other)).toEqual({ before: after, after, rows: [] });
    expect(lines.mock.calls.map(([line]) => line)).toMatchObject([
      { id, fields: ["name"] },
      { id, fields: [] },
    ]);
  });

  test("returns null after a deletion", async () => {
    const before = await stored();
    const change = { verb: "delete", records, identifier: identifier(), writes: [remove()] };
    expect(await commitUnread(contextOf(), change)).toEqual({ before, after: null, rows: [] });
    expect(lines).toHaveBeenCalledTimes(1);
    expect(await commitUnread(contextOf(), change)).toEqual({
      before: null,
      after: null,
      rows: [],
    });
    expect(lines).toHaveBeenCalledTimes(1);
  });

  test("finds no record of another account, or outside of the scope, and logs nothing", async () => {
    const none = { before: null, after: null, rows: [] };
    const before = await stored();
    const scope = sql`${notificationRules.name} = 'other'`;
    expect(await renameUnread(identifier(), { scope })).toEqual(none);
    const { accountId } = await makeAccount();
    const context = contextOf({ actor: { kind: "system", accountId } });
    expect(await renameUnread(identifier(), { context })).toEqual(none);
    expect(await stored()).toEqual(before);
    expect(lines).not.toHaveBeenCalled();
  });

  test("writes nothing if the actor is no longer allowed to", async () => {
    const before = await stored();
    const context = contextOf({ stillAllowed: [UNMET] });
    const failed = renameUnread(identifier(), { context });
    await expect(failed).rejects.toSatisfy(isPreconditionFailed);
    expect(await stored()).toEqual(before);
    expect(lines).not.toHaveBeenCalled();
  });
});

describe("a verb's decision", () => {
  type Renaming = Decision<"NotificationRule", string>;

  let names: string[];
  beforeEach(() => {
    names = [];
  });

  /** Renames the rule; the answer is its new name. */
  const decided = async (name: string, more: Partial<Renaming> = {}): Promise<Renaming> => ({
    ...{ verb: "update", records, id, before: await stored(), writes: [rename(name)] },
    answer: ({ after }) => {
      names.push(after?.name ?? "");
      return after?.name ?? "";
    },
    ...more,
  });

  test("is committed, after what has to happen before, and answered", async () => {
    const prepared: string[] = [];
    const prepare = async () => {
      prepared.push((await stored()).name);
    };
    expect(await commit(contextOf(), () => decided("Days", { prepare }))).toBe("Days");
    expect(prepared).toEqual(["Nights"]);
    expect((await stored()).name).toBe("Days");
  });

  test("that refuses, or writes nothing itself, writes nothing", async () => {
    const refusal = refuse("conflict", "not now");
    expect(await commit(contextOf(), async (): Promise<Refusal> => refusal)).toBe(refusal);
    expect(await commit(contextOf(), async () => ({ answer: () => "as it was" }))).toBe(
      "as it was",
    );
    expect((await stored()).name).toBe("Nights");
    expect(lines).not.toHaveBeenCalled();
  });

  test.each([
    [1, undefined, "Days"],
    [3, undefined, "Days"],
    [4, undefined, null],
    [4, 5, "Days"],
    [2, 2, null],
  ])("after %i conflicts, of %s attempts, is made again: %s", async (conflicts, attempts, name) => {
    let made = 0;
    const verb = async () => {
      made += 1;
      const writes = made <= conflicts ? [rename("Days"), UNMET] : [rename("Days")];
      return decided("Days", { writes, ...(attempts && { attempts }) });
    };
    const answer = await commit(contextOf(), verb);
    if (name === null) expect(answer).toMatchObject({ kind: "refusal", reason: "conflict" });
    else expect(answer).toBe(name);
    expect(made).toBe(name === null ? (attempts ?? 4) : conflicts + 1);
    expect(names).toEqual(name === null ? [] : [name]);
  });

  test("says which refusal a failed write means; any other failure is thrown", async () => {
    const refusal = refuse("invalid", "the name is taken");
    const broken = { writes: [sql`insert into nowhere values (1)`] };
    const verb = () => decided("Days", { ...broken, refusalOf: () => refusal });
    expect(await commit(contextOf(), verb)).toBe(refusal);
    const unknown = () => decided("Days", { ...broken, refusalOf: () => null });
    await expect(commit(contextOf(), unknown)).rejects.toThrow("no such table");
    expect(names).toEqual([]);
  });

  test("is previewed by its effect, and writes, prepares and answers nothing", async () => {
    const prepare = vi.fn();
    const effectOf = (name: string) => ({
      serving: { replacedIds: [], events: [], schedulesAfter: [] },
      eventIds: [],
      keepPast: () => Promise.reject(new Error("a preview writes nothing")),
      preview: async () => ({ name }),
    });
    const onCall = effectOf("what is stored");
    const show = (more: Partial<Renaming>) =>
      preview(contextOf(), () => decided("Days", { prepare, ...more }));
    expect(await show({ onCall })).toEqual({ name: "what is stored" });
    const effect = async () => effectOf("what follows");
    expect(await show({ onCall, effect })).toEqual({ name: "what follows" });
    await expect(show({})).rejects.toThrow("no preview");
    const refusal = refuse("conflict", "not now");
    expect(await preview(contextOf(), async () => refusal)).toBe(refusal);
    expect([prepare.mock.calls, names]).toEqual([[], []]);
    expect((await stored()).name).toBe("Nights");
  });

  test("is composed with others: all are committed, or none", async () => {
    const { body } = await account.api("POST", "/notification_rules", { name: "Weekends" });
    lines.mockClear();
    const compose = async (...writes: readonly ReturnType<typeof rename>[]) => {
      const composed = await composeChange(contextOf(), await decided("Days", { writes }));
      if ("reason" in composed) throw new Error("it is no refusal");
      return composed;
    };
    const renameOther = build
      .update(notificationRules)
      .set({ name: "Saturdays" })
      .where(eq(notificationRules.id, body.id));
    const others = await compose(renameOther);
    const unmet = { ...others, writes: [...others.writes, UNMET] };
    const failed = commitComposed(contextOf(), [await compose(rename("Days")), unmet]);
    await expect(failed).rejects.toSatisfy(isPreconditionFailed);
    expect((await stored()).name).toBe("Nights");
    expect(lines).not.toHaveBeenCalled();
    await commitComposed(contextOf(), [await compose(rename("Days")), others]);
    expect((await stored()).name).toBe("Days");
    expect(lines).toHaveBeenCalledTimes(2);
    // What follows each.
    expect(names).toEqual(["Days", "Days"]);
  });
});
