// What D1 stores of an alert is all of it: restored from its columns and the rest of its state, it
// is the same alert, whatever its state.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ALERT_STATUSES,
  ALERT_URGENCIES,
  type Alert,
  type LogEntry,
  WORKFLOW_STATES,
  type Workflow,
} from "../../../src/domain/alerts/alert.ts";
import { createdLine } from "../../../src/domain/alerts/created-line.ts";
import {
  restoreAlert,
  restoreTimeline,
  restoreWorkflow,
  storeState,
  storeTimeline,
  storeWorkflow,
} from "../../../src/domain/alerts/stored-alert.ts";
import { sized } from "../../support/generated/sizes.ts";

const RUNS = sized(120, 5_000);

const id = fc.constantFrom("ann", "bob", "cid", "dan");
const ids = fc.uniqueArray(id);
const at = fc.integer({ min: 0, max: 2 ** 42 });
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const optional = <Value extends object>(value: fc.Arbitrary<Value>) =>
  fc.oneof(fc.constant({}), value);
const destination = fc.record({ type: fc.constantFrom("team", "account_user"), id });

/** The same in plain objects, as they are after storing. */
const plain = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;

const workflow: fc.Arbitrary<Workflow> = fc
  .tuple(
    fc.record({
      id,
      destination,
      destinationName: fc.string(),
      state: fc.constantFrom(...WORKFLOW_STATES),
      layer: orNull(fc.nat(9)),
      pass: fc.integer({ min: 1, max: 4 }),
      accountUserIds: ids,
      askedIds: ids,
      rejectedIds: ids,
      memberIds: ids,
      dropRecipientIds: ids,
      nextStepAt: orNull(at),
      createdAt: at,
      updatedAt: at,
    }),
    optional(fc.record({ acknowledgedBy: id })),
    optional(fc.record({ wants: fc.dictionary(id, ids, { minKeys: 1 }) })),
    optional(fc.record({ acknowledgedBy: id })),
  )
  .map(([all, ...some]) => plain(Object.assign({}, all, ...some) as Workflow));

const alert: fc.Arbitrary<Alert> = fc
  .tuple(
    fc.record({
      id,
      accountId: id,
      version: fc.nat(),
      title: fc.string(),
      description: orNull(fc.string()),
      status: fc.constantFrom(...ALERT_STATUSES),
      urgency: fc.constantFrom(...ALERT_URGENCIES),
      tags: fc.array(fc.string()),
      meta: fc.dictionary(fc.string(), fc.jsonValue()),
      additionalData: fc.constant([]),
      source: fc
        .tuple(
          fc.record({
            type: fc.constantFrom("Integration", "AccountUser"),
            id,
            name: fc.string(),
            logId: orNull(id),
          }),
          optional(fc.record({ integrationType: fc.string() })),
        )
        .map(([all, some]) => ({ ...all, ...some })),
      thirdpartyId: orNull(fc.string()),
      dedupKeys: ids,
      dedupCount: fc.nat(),
      countedSequence: fc.nat(),
      countedElsewhere: fc.dictionary(id, fc.nat()),
      countedRequests: ids,
      teamIds: ids,
      routerIds: ids,
      accountUserIds: ids,
      workflows: fc.array(workflow, { maxLength: 3 }),
      pending: fc.array(fc.record({ destination, at }), { maxLength: 2 }),
      heldAcknowledgement: orNull(fc.string()),
      suppressedUntil: orNull(at),
      autoResolveAt: orNull(at),
      acknowledgedAt: orNull(at),
      resolvedAt: orNull(at),
      deletedAt: orNull(at),
      dropNotifiedAt: orNull(at),
      createdAt: at,
      updatedAt: at,
      logCount: fc.nat(),
      effectCount: fc.nat(),
      unreachedEffects: ids,
    }),
    optional(fc.record({ aggregatedIntoId: id })),
    optional(fc.record({ reopenUntil: at })),
    optional(fc.record({ joinedIds: fc.constant(["ann"]) })),
    optional(fc.record({ removedIds: fc.constant(["bob"]) })),
    optional(fc.record({ trail: fc.constant(["cid"]) })),
    optional(fc.record({ members: fc.array(fc.record({ from: fc.string(), names: ids })) })),
    optional(
      fc.record({
        muted: fc.record({ until: at, urgency: fc.constantFrom(...ALERT_URGENCIES), added: ids }),
      }),
    ),
    optional(fc.record({ latest: fc.record({ title: fc.string(), link: orNull(fc.string()) }) })),
    optional(fc.record({ reported: fc.record({ urgency: fc.constantFrom(...ALERT_URGENCIES) }) })),
  )
  .map(([all, ...some]) => plain(Object.assign({}, all, ...some) as Alert));

test(`an alert restored from what is stored is the same alert, for ${RUNS} alerts`, () => {
  fc.assert(
    fc.property(alert, (given) => {
      const state = plain(storeState(given, null));
      expect(restoreAlert(given, state, null)).toStrictEqual(given);
      // Nothing is left of what has no column.
      const { source, ...columns } = given;
      const bare = {
        ...columns,
        source: { ...source, name: "nobody" },
        countedSequence: 1,
        pending: [],
        effectCount: 1,
        unreachedEffects: ["none"],
      };
      const restored = restoreAlert(bare, state, null);
      expect(restored).toMatchObject({
        source,
        countedSequence: given.countedSequence,
        pending: given.pending,
        effectCount: given.effectCount,
        unreachedEffects: given.unreachedEffects,
      });
    }),
    { numRuns: RUNS },
  );
});

test("the name of what created an alert is stored once, as the first line of its timeline has it", () => {
  fc.assert(
    fc.property(alert, (given) => {
      const line = createdLine(given.source);
      const state = plain(storeState(given, line));
      expect(state).not.toHaveProperty("source");
      expect(restoreAlert(given, state, line)).toStrictEqual(given);
      // What the version before has stored, and an alert whose first lines are elsewhere.
      const whole = plain(storeState(given, "Opened"));
      expect(restoreAlert(given, whole, line)).toStrictEqual(given);
      expect(restoreAlert(given, whole, null)).toStrictEqual(given);
    }),
    { numRuns: RUNS },
  );
});

test("who gave the latest answer is stored by their position among those who were asked", () => {
  fc.assert(
    fc.property(alert, id, (given, by) => {
      const undoable = { type: "resolve", by, at: given.createdAt, positions: [] } as const;
      const answered = { ...given, undoable };
      const state = plain(storeState(answered, null));
      const isAsked = given.workflows.some(({ askedIds }) => askedIds.includes(by));
      expect(typeof state.undo?.[1]).toBe(isAsked ? "number" : "string");
      expect(restoreAlert(given, state, null).undoable).toStrictEqual(undoable);
      // As the version before has stored it.
      const former = { ...state, undo: ["r", by, 0, []] as const };
      expect(restoreAlert(given, former, null).undoable).toStrictEqual(undoable);
    }),
    { numRuns: RUNS },
  );
});

test("what was suppressed without a timer does not open when it is read back", () => {
  fc.assert(
    fc.property(alert, (given) => {
      const before = { ...given, suppressedUntil: 1, status: "suppressed" as const };
      const state = plain(storeState(before, null));
      const untimed = restoreAlert({ ...before, nextStepAt: null }, state, null);
      expect(untimed).toStrictEqual({ ...before, suppressedUntil: null });
      expect(restoreAlert({ ...before, nextStepAt: 1 }, state, null)).toStrictEqual(before);
    }),
  );
});

test(`a workflow restored from what is stored is the same workflow, for ${RUNS} workflows`, () => {
  fc.assert(
    fc.property(workflow, (given) => {
      const stored = plain(storeWorkflow(given, 1_000, false));
      expect(restoreWorkflow(stored, 1_000)).toStrictEqual(given);
    }),
    { numRuns: RUNS },
  );
});

test("a resolved alert's workflow loses only those who could have answered or been told", () => {
  fc.assert(
    fc.property(workflow, (given) => {
      const stored = plain(storeWorkflow(given, 1_000, true));
      expect(restoreWorkflow(stored, 1_000)).toStrictEqual({
        ...given,
        memberIds: [],
        dropRecipientIds: [],
      });
    }),
  );
});

test("the entries of a timeline keep their times, levels and numbers", () => {
  const entries: LogEntry[] = [
    { sequence: 7, at: 1_001, level: "info", message: "Created" },
    { sequence: 8, at: 5_000, level: "error", message: "Dropped" },
  ];
  const stored = plain(storeTimeline(entries, 1_000));
  expect(stored).toEqual([
    [1, "Created"],
    [4_000, "Dropped", "error"],
  ]);
  expect(restoreTimeline(stored, 1_000, 7)).toStrictEqual(entries);
});

test("of members, those asked are stored by their position; ids, as they were stored before, are read", () => {
  const stored = {
    ...({ id: "w", to: "t", name: "Bench", state: "open", created: 1, updated: 1 } as const),
    people: ["ann", "bob"],
  } as const;
  const former = { ...stored, members: ["bob", "cid"], drop: ["ann", "dan"] };
  const workflow = restoreWorkflow(former, 1_000);
  expect(workflow).toMatchObject({ memberIds: ["bob", "cid"], dropRecipientIds: ["ann", "dan"] });
  const again = plain(storeWorkflow(workflow, 1_000, false));
  expect(again).toStrictEqual({ ...stored, members: [1, "cid"], drop: [0, "dan"] });
  expect(restoreWorkflow(again, 1_000)).toStrictEqual(workflow);
});
