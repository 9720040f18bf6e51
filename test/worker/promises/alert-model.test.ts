// P3 and P5 at length: random histories of the real object are compared with a small model. State, timeline and pages
// are compared after every step; readers' rows and the queue's messages at the end.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { AlertDraft, CommandAuthor } from "../../../src/domain/alerts/commands.ts";
import type { PageMessage, PageReport } from "../../../src/domain/notifications/page.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { isRefusal } from "../../../src/domain/shared/refusal.ts";
import type { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { selectStoredAlert } from "../../../src/features/alerts/object/stored-alert-rows.ts";
import { newDatedId } from "../../../src/kernel/db/identifiers.ts";
import { first } from "../../../src/kernel/db/select.ts";
import {
  draftOf,
  type History,
  histories,
  makeWorld,
  SENDER,
  type Step,
  type World,
} from "../../support/alerts/alert-histories.ts";
import { AlertModel } from "../../support/alerts/alert-model.ts";
import type { Answer } from "../../support/alerts/alert-model-types.ts";
import type { StoredValue } from "../../support/alerts/stored-alert.ts";
import { sized } from "../../support/generated/sizes.ts";
import { alertStub, evict, failWrites, interceptQueue } from "../../support/worker/faults.ts";

const HISTORIES = sized(25, 1_000);
const EMPTIED = sized(10, 300);
const MINUTE = 60_000;
const DAY = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Pair = {
  readonly world: World;
  readonly object: AlertObject;
  readonly model: AlertModel;
  readonly draft: AlertDraft;
  readonly to: readonly string[];
};

/** Runs one step on both; returns both answers. */
async function runStep({ world, object, model, draft, to }: Pair, given: Step) {
  const now = Date.now();
  const caller = (who: string | null) =>
    who === null ? SENDER : { id: world.idOf(who), name: who };
  const command = async (asked: Parameters<AlertObject["command"]>[1], expected: Answer) => {
    const answer = await object.command(draft.accountId, asked, "for_nothing");
    return { got: isRefusal(answer) ? answer.reason : answer.kind, expected };
  };
  switch (given.type) {
    case "create": {
      const last = model.counted;
      const from = Math.max(1, last + 1 - given.back);
      const sequences = Array.from({ length: last + given.more - from + 1 }, (_, i) => from + i);
      const { urgency = draft.urgency, names = [] } = given;
      const members = { names, isPartial: true } as const;
      const said = { ...draft, urgency, ...(names.length > 0 && { members }) };
      const answer = await object.create(said, sequences, "for_nothing");
      return { got: answer.kind, expected: model.create(sequences, to, now, { urgency, names }) };
    }
    case "tick":
      await object.poke();
      model.tick(now);
      return { got: "done", expected: "done" };
    case "confirm": {
      const page = given.page % Math.max(1, model.pages.length);
      const failure = given.failed ? `Not notified: page ${page}` : null;
      await object.confirm([reportOf(`${draft.id}:${page}`, failure)], draft.accountId);
      model.confirm(page, failure);
      return { got: "done", expected: "done" };
    }
  }
  const who = caller(given.who);
  const by: CommandAuthor & { accountUserId: string } = {
    accountUserId: who.id as string,
    name: who.name,
  };
  switch (given.type) {
    case "acknowledge":
      return command({ type: "acknowledge", by }, model.acknowledge(who, now));
    case "resolve":
      return command({ type: "resolve", by }, model.resolve(who, now));
    case "reject":
      return command({ type: "reject", by }, model.reject(who, now));
    case "delete":
      return command({ type: "delete", by }, model.remove(who));
    case "change": {
      const title = `Disk full, minute ${now / MINUTE}`;
      return command({ type: "change", changes: { title }, by }, model.change(who, title));
    }
    case "handoff": {
      const ids = given.to.map((it) => world.order[it] as string);
      const { destinations: named } = draftOf(world, draft.id, ids, false);
      const asked = { type: "handoff", destinations: named, note: null, by } as const;
      return command(asked, model.handOff(who, [...named.teamIds, ...named.accountUserIds], now));
    }
    case "responders": {
      const ids = given.to.map((it) => world.order[it] as string);
      const { destinations: named } = draftOf(world, draft.id, ids, false);
      const { teamIds, accountUserIds } = named;
      const type = "request_responders";
      const asked = { type, destinations: { teamIds, accountUserIds }, note: null, by } as const;
      return command(asked, model.requestResponders(who, [...teamIds, ...accountUserIds], now));
    }
    case "snooze": {
      const until = now + given.minutes * MINUTE;
      return command({ type: "snooze", until, by }, model.snooze(who, until, now));
    }
    case "escalate":
      return command({ type: "escalate", by }, model.escalate(who, now));
    case "undo":
      return command({ type: "undo", by }, model.undo(who, now));
    case "reopen":
      return command({ type: "reopen", by }, model.reopen(who, now));
  }
}

/** The consumer's report on a page. If it failed, another channel has succeeded or still may. */
function reportOf(effectId: string, failure: string | null): PageReport {
  const lines =
    failure === null ? [] : [{ key: effectId, level: "error", message: failure } as const];
  const page = { event: "alert.open", accountUserId: "", workflowId: null } as const;
  return { effectId, lines, unreached: false, page };
}

type Known = Pick<StoredValue, "alert" | "timeline" | "outbox">;

const storedIn = (storage: DurableObjectStorage) =>
  JSON.parse(storage.kv.get<string>("alert") ?? "null") as StoredValue | null;

/** What the object stores; what readers' rows have if it is empty. */
async function knownOf(storage: DurableObjectStorage, draft: AlertDraft): Promise<Known> {
  const value = storedIn(storage);
  if (value !== null) return value;
  const { accountId, id } = draft;
  const row = await first(env.DB, selectStoredAlert(accountId, { form: "id", value: id }));
  if (row === null) throw new Error("neither the object nor a row has the alert");
  return { alert: row.alert, timeline: [...row.timeline], outbox: [] };
}

/** What is known of the alert, in the model's terms. */
function stored(known: Known | null) {
  if (known === null) return null;
  const { alert, timeline, outbox } = known;
  const numberOf = (effectId: string) => Number(effectId.split(":")[1]);
  const workflows = alert.workflows.map((it) => ({
    of: it.destination.id,
    requested: it.isRequested ?? false,
    state: it.state,
    layer: it.layer,
    pass: it.pass,
    asked: it.accountUserIds,
    everAsked: [...it.askedIds].sort(),
    rejected: [...it.rejectedIds].sort(),
    due: it.nextStepAt,
    by: it.acknowledgedBy ?? null,
  }));
  return {
    status: alert.status,
    deleted: alert.deletedAt !== null,
    count: alert.dedupCount,
    counted: alert.countedSequence,
    title: alert.title,
    urgency: alert.urgency,
    members: alert.members?.flatMap(({ names }) => names) ?? null,
    acknowledgedAt: alert.acknowledgedAt,
    resolvedAt: alert.resolvedAt,
    snoozedUntil: alert.snoozedUntil ?? null,
    workflows,
    timeline: timeline.map(({ message }) => message),
    pages: alert.effectCount,
    waiting: outbox.map(({ page }) => numberOf(page.effectId)).sort((a, b) => a - b),
  };
}

function expected(model: AlertModel): unknown {
  const { status, deleted, count, counted, title, acknowledgedAt, resolvedAt, snoozedUntil } =
    model;
  const workflows = model.workflows.map((it) => ({
    of: it.of.id,
    requested: it.requested,
    state: it.state,
    layer: it.layer,
    pass: it.pass,
    asked: it.asked,
    everAsked: [...it.everAsked].sort(),
    rejected: [...it.rejected].sort(),
    due: it.due,
    by: it.by,
  }));
  const dates = { acknowledgedAt, resolvedAt, snoozedUntil };
  const { urgency, members } = model;
  const fields = { status, deleted, count, counted, title, urgency, members, ...dates };
  const { story: timeline, pages, waiting } = model;
  return { ...fields, workflows, timeline, pages: pages.length, waiting };
}

/** Compares readers' rows with the model: a deleted alert has no row, but keeps its timeline. */
async function compareWithReaders(id: string, model: AlertModel) {
  const [alerts, steps] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare(
      `select status, dedup_count as count, title, acknowledged_at as acknowledgedAt,
        resolved_at as resolvedAt from alerts where id = ?`,
    ).bind(id),
    env.DB.prepare(
      `select value->>1 as message from log_entries, json_each(log_entries.steps)
        where log_entries.id = ? order by key`,
    ).bind(id),
  ]);
  const { status, count, title, acknowledgedAt, resolvedAt } = model;
  const row = { status, count, title, acknowledgedAt, resolvedAt };
  expect(alerts?.results).toEqual(model.deleted ? [] : [row]);
  expect(steps?.results.map((it) => it.message)).toEqual(model.story);
}

/** Compares the queue's messages with the model: no other pages, and every unconfirmed page. */
function compareWithQueue(sent: readonly PageMessage[], model: AlertModel) {
  const numbers = new Set<number>();
  for (const { page } of sent) {
    const number = Number(page.effectId.split(":")[1]);
    numbers.add(number);
    const { event, accountUserId, layer, pass, at } = page;
    const { of, ...expectedPage } = model.pages[number] ?? { of: null };
    expect({ event, person: accountUserId, layer, pass, at }).toEqual(expectedPage);
    expect(page.workflowId === null).toBe(of === null);
  }
  for (const number of model.waiting) expect(numbers).toContain(number);
}

type RunOptions = {
  readonly start: number;
  readonly sent: PageMessage[];
  readonly mend: () => void;
  readonly compareReaders: boolean;
};

/** Runs one history on both, from `start` (epoch ms) on. */
async function runHistory(
  world: World,
  given: History,
  { start, sent, mend, compareReaders }: RunOptions,
) {
  vi.setSystemTime(start);
  sent.length = 0;
  const id = newDatedId(start);
  const draft = draftOf(
    world,
    id,
    given.to.map((it) => world.order[it] as string),
    given.silent,
  );
  const to = [...draft.destinations.teamIds, ...draft.destinations.accountUserIds];
  const model = new AlertModel(world.all, world.nameOf);
  const first = { step: { type: "create", back: 0, more: 1 } as const, wait: 0 };
  await runInDurableObject(alertStub(prefixIdOf("alert", id)), async (it, { storage }) => {
    const object = it as AlertObject;
    const pair = { world, object, model, draft, to };
    for (const [i, { step, wait: minutes }] of [first, ...given.steps].entries()) {
      vi.setSystemTime(Date.now() + minutes * MINUTE);
      const answers = await runStep(pair, step);
      const where = `step ${i}: ${JSON.stringify(step)}`;
      expect(answers.got, where).toBe(answers.expected);
      const [found, wanted] = [stored(storedIn(storage)), expected(model)];
      // `toEqual` is too slow for every step: it only explains a difference.
      if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found, where).toEqual(wanted);
    }
    if (compareReaders) mend();
    await object.poke();
    model.tick(Date.now());
  });
  compareWithQueue(sent, model);
  if (compareReaders) await compareWithReaders(id, model);
}

/**
 * Runs one history while the object is emptied between its steps, whenever readers have the state
 * and no page waits: each next step finds the state in readers' rows.
 */
async function runEmptied(world: World, given: History, start: number): Promise<number> {
  vi.setSystemTime(start);
  const to = given.to.map((it) => world.order[it] as string);
  const draft = draftOf(world, newDatedId(start), to, given.silent);
  const { teamIds, accountUserIds } = draft.destinations;
  const model = new AlertModel(world.all, world.nameOf);
  const create = { step: { type: "create", back: 0, more: 1 } as const, wait: 0 };
  const stub = alertStub(prefixIdOf("alert", draft.id));
  let emptied = 0;
  for (const [i, { step, wait: minutes }] of [create, ...given.steps].entries()) {
    vi.setSystemTime(Date.now() + minutes * MINUTE);
    await runInDurableObject(stub, async (it, { storage }) => {
      const object = it as AlertObject;
      const pair = { world, object, model, draft, to: [...teamIds, ...accountUserIds] };
      // By itself, the object is never empty while a timer is left: a tick does not look for one.
      if (step.type === "tick") await object.show(draft.accountId);
      const answers = await runStep(pair, step);
      const where = `step ${i}: ${JSON.stringify(step)}`;
      expect(answers.got, where).toBe(answers.expected);
      await object.show(draft.accountId);
      if (model.deleted) return;
      expect(stored(await knownOf(storage, draft)), where).toEqual(expected(model));
      if ((storedIn(storage)?.outbox ?? []).length > 0) return;
      emptied += 1;
      await storage.deleteAll();
    });
    await evict(stub);
  }
  return emptied;
}

test(`matches the model when it is emptied between steps, in ${EMPTIED} random histories`, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / DAY + 10) * DAY });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const start = Date.now();
  const world = await makeWorld();
  interceptQueue(async () => {});
  let emptied = 0;
  const property = fc.asyncProperty(histories, async (given) => {
    emptied += await runEmptied(world, given, start);
  });
  await fc.assert(property, { numRuns: EMPTIED });
  expect(emptied).toBeGreaterThan(EMPTIED);
});

test(`matches the model after every step of ${HISTORIES} random histories`, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / DAY + 10) * DAY });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const start = Date.now();
  const world = await makeWorld();
  const sent: PageMessage[] = [];
  interceptQueue(async (messages) => {
    sent.push(...(messages as PageMessage[]));
  });
  let runs = 0;
  const property = fc.asyncProperty(histories, (given) => {
    const mend = failWrites();
    runs += 1;
    const compareReaders = runs % 4 === 0;
    return runHistory(world, given, { start, sent, mend, compareReaders }).finally(mend);
  });
  await fc.assert(property, { numRuns: HISTORIES });
});
