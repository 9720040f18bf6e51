// What a repeated event says beyond its alert's first one: a higher urgency, further members, other
// texts (contract 3, Matching of events).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ALERT_URGENCIES,
  type Alert,
  type AlertUrgency,
  type LogEntry,
} from "../../../src/domain/alerts/alert.ts";
import { alertEvents } from "../../../src/domain/alerts/alert-events.ts";
import type { AlertDraft, Command, ReportedMembers } from "../../../src/domain/alerts/commands.ts";
import { memberNames } from "../../../src/domain/alerts/members.ts";
import { NEWS_MS } from "../../../src/domain/alerts/news.ts";
import { pageMessage } from "../../../src/domain/notifications/page-message.ts";
import { expectEqual } from "../../support/generated/expect-equal.ts";
import { sized } from "../../support/generated/sizes.ts";
import {
  by,
  draft,
  type History,
  history,
  knowing,
  MINUTE,
  personAlone,
  SENDER,
  T0,
  team,
} from "./alert-makers.ts";

const TEAM = team("t", ["ann bob", "cid"], { repeat: 1 });
const PEOPLE = ["ann", "bob", "cid"].map(personAlone);
const NEWS_MINUTES = NEWS_MS / MINUTE;

const event = (sequence: number, changes: Partial<AlertDraft> = {}): Command => ({
  type: "create",
  draft: draft([TEAM], changes),
  sequences: [sequence],
});

/** A history whose alert is created by a low event, or by another one. */
function begun(changes: Partial<AlertDraft> = { urgency: "low" }): History {
  const it = history([TEAM]);
  it.facts = knowing([TEAM, ...PEOPLE]);
  it.do(event(1, changes), 0);
  return it;
}

const acknowledge: Command = { type: "acknowledge", by: by("ann") };
const tick: Command = { type: "tick" };

/** The messages and the pages ("event person") of what `act` does. */
function following(it: History, act: () => void) {
  const [entries, pages] = [it.log.length, it.pages.length];
  act();
  return {
    log: it.log.slice(entries).map(({ message }) => message),
    pages: it.pages.slice(pages).map((page) => `${page.event} ${page.accountUserId}`),
  };
}

const members = (...names: string[]): Partial<AlertDraft> => ({ members: { names } });

describe("an event with a higher urgency", () => {
  test("raises the urgency and notifies the current layer once", () => {
    const it = begun();
    it.do(tick, 5);
    const after = following(it, () => it.do(event(2, { urgency: "critical" }), 6));
    expect(after).toEqual({
      log: ["Urgency raised from low to critical"],
      pages: ["alert.open cid"],
    });
    expect(it.alert).toMatchObject({ urgency: "critical", status: "open", dedupCount: 1 });
    expect(following(it, () => it.do(event(2, { urgency: "critical" }), 6))).toEqual({
      log: [],
      pages: [],
    });
  });

  test("notifies who had acknowledged, then the others on the layer, then the next layer", () => {
    const it = begun();
    it.do(acknowledge, 1);
    const { pages } = following(it, () => it.do(event(2, { urgency: "critical" }), 10));
    expect(pages).toEqual(["alert.open ann"]);
    expect(it.alert).toMatchObject({ status: "open", acknowledgedAt: T0 + MINUTE });
    const late = following(it, () => it.do(tick, 10 + NEWS_MINUTES));
    expect(late.pages).toEqual(["alert.open ann", "alert.open bob"]);
    const later = following(it, () => it.do(tick, 15 + NEWS_MINUTES));
    expect(later.pages).toEqual(["alert.open cid"]);
  });

  test("goes on to the next layer if nobody else is on the layer, and asks a last layer in full", () => {
    const alone = team("t", ["ann", "cid"]);
    const it = begun();
    it.facts = knowing([alone, ...PEOPLE]);
    it.do(acknowledge, 1);
    it.do({ type: "reject", by: by("bob") }, 1);
    it.do(event(2, { urgency: "critical" }), 2);
    expect(following(it, () => it.do(tick, 2 + NEWS_MINUTES)).pages).toEqual(["alert.open cid"]);
    it.do({ type: "acknowledge", by: by("cid") }, 10);
    it.do(event(3, { urgency: "critical", ...members("a") }), 11);
    it.do(event(4, { urgency: "critical", ...members("a", "b") }), 12);
    expect(following(it, () => it.do(tick, 12 + NEWS_MINUTES)).pages).toEqual(["alert.open cid"]);
    expect(it.alert?.status).toBe("open");
  });

  test("is answered by an acknowledgement, a rejection or a resolution", () => {
    for (const type of ["acknowledge", "resolve"] as const) {
      const it = begun();
      it.do(acknowledge, 1);
      it.do(event(2, { urgency: "high" }), 2);
      it.do({ type, by: by("ann") }, 3);
      expect(following(it, () => it.do(tick, 60)).pages, type).toEqual([]);
    }
    const it = begun();
    it.do(acknowledge, 1);
    it.do(event(2, { urgency: "high" }), 2);
    const { pages } = following(it, () => it.do({ type: "reject", by: by("ann") }, 3));
    expect(pages).toEqual(["alert.open bob"]);
  });

  test("asks the layer again where no member had acknowledged", () => {
    const it = begun();
    it.do({ type: "acknowledge", by: SENDER }, 1);
    const { pages } = following(it, () => it.do(event(2, { urgency: "high" }), 2));
    expect(pages).toEqual(["alert.open ann", "alert.open bob"]);
    const left = begun();
    left.do(acknowledge, 1);
    left.facts = new Map([...knowing([TEAM]), ["account_user:ann", null]]);
    const after = following(left, () => left.do(event(2, { urgency: "high" }), 2));
    expect(after.pages).toEqual(["alert.open ann", "alert.open bob"]);
  });

  test("wakes a snoozed alert, and does not wait for a sender's earlier acknowledgement", () => {
    const it = begun();
    it.do({ type: "snooze", until: T0 + 600 * MINUTE, by: by("bob") }, 1);
    const { pages } = following(it, () => it.do(event(2, { urgency: "high" }), 2));
    expect(pages).toEqual(["alert.open bob"]);
    expect(it.alert).toMatchObject({ status: "open", snoozedUntil: null });
  });

  test("reopens a dropped alert with the new urgency", () => {
    const it = begun();
    for (const at of [5, 10, 15, 20]) it.do(tick, at);
    expect(it.alert?.status).toBe("dropped");
    const { pages } = following(it, () => it.do(event(2, { urgency: "critical" }), 30));
    expect(pages).toEqual(["alert.open ann", "alert.open bob"]);
    expect(it.alert).toMatchObject({ status: "open", urgency: "critical" });
  });

  test("in a maintenance window notifies nobody; the first one after it is news", () => {
    const it = begun();
    const maintenance = { at: T0, until: T0 + 10 * MINUTE };
    const during = following(it, () => it.do(event(2, { urgency: "high", maintenance }), 2));
    expect(during).toEqual({ log: ["Urgency raised from low to high"], pages: [] });
    expect(following(it, () => it.do(event(3, { urgency: "high" }), 11)).pages).not.toEqual([]);
  });

  test("raises a suppressed alert without notifying anybody", () => {
    const maintenance = { at: T0, until: T0 + 10 * MINUTE };
    const it = begun({ urgency: "low", maintenance });
    it.do(event(2, { urgency: "critical", maintenance }), 2);
    expect(it.alert).toMatchObject({ status: "suppressed", urgency: "critical" });
    expect(it.pages).toEqual([]);
  });

  test("does not raise again what a person or a router has lowered", () => {
    const it = begun({ urgency: "high" });
    it.do({ type: "change", changes: { urgency: "low" }, by: by("ann") }, 1);
    expect(following(it, () => it.do(event(2, { urgency: "high" }), 2)).pages).toEqual([]);
    expect(it.alert?.urgency).toBe("low");
    it.do(event(3, { urgency: "critical" }), 3);
    expect(it.alert?.urgency).toBe("critical");
  });

  test("lowers the urgency only with lower_urgency", () => {
    const it = begun({ urgency: "high" });
    it.do(event(2, { urgency: "low" }), 1);
    expect(it.alert?.urgency).toBe("high");
    const after = following(it, () => it.do(event(3, { urgency: "low", lowersUrgency: true }), 2));
    expect(after).toEqual({ log: ["Urgency lowered from high to low"], pages: [] });
    it.do(event(4, { urgency: "high" }), 3);
    expect(it.alert?.urgency).toBe("high");
  });

  test("of another Id never lowers it", () => {
    const it = begun({ urgency: "high" });
    const other = { urgency: "low", lowersUrgency: true, thirdpartyId: "other" } as const;
    expect(following(it, () => it.do(event(2, other), 1))).toEqual({ log: [], pages: [] });
    expect(following(it, () => it.do(event(3, { urgency: "high" }), 2)).pages).toEqual([]);
    expect(it.alert?.urgency).toBe("high");
  });

  test("is announced to outgoing integrations, one in a maintenance window at its end", () => {
    const maintenance = { at: T0, until: T0 + 10 * MINUTE };
    const quiet = begun();
    const first = quiet.alert as Alert;
    const within = event(2, { urgency: "critical", maintenance });
    quiet.do(within, 1);
    const during = quiet.alert as Alert;
    expect(alertEvents(first, during, within, T0)).toEqual([]);
    quiet.do(tick, 10);
    expect(alertEvents(during, quiet.alert as Alert, tick, T0)).toMatchObject([
      { event: "alert.open", detail: "Urgency raised from low to critical" },
    ]);
    const it = begun();
    const before = it.alert as Alert;
    const command = event(2, { urgency: "critical" });
    it.do(command, 1);
    const events = alertEvents(before, it.alert as Alert, command, T0 + MINUTE);
    const detail = "Urgency raised from low to critical";
    expect(events).toEqual([{ event: "alert.open", by: null, detail }]);
  });
});

describe("members", () => {
  test("a new one is an entry, is in the notification, and notifies once", () => {
    const it = begun(members("web1"));
    it.do(acknowledge, 1);
    const after = following(it, () =>
      it.do(event(2, { ...members("web1", "db1"), title: "2 down", description: "web1, db1" }), 2),
    );
    expect(after.log[0]).toBe("1 more: db1");
    expect(after.pages).toEqual(["alert.open ann"]);
    const [page] = it.pages.slice(-1);
    const message = page && it.alert && pageMessage(it.alert, {}, page);
    expect(message?.alert).toMatchObject({
      title: "1 more: db1: 2 down",
      description: "web1, db1\n\nThe first event was: Disk full",
    });
    expect(following(it, () => it.do(event(3, members("web1", "db1")), 3)).pages).toEqual([]);
  });

  test("one that is gone is an entry; when it returns it is new", () => {
    const it = begun(members("web1", "db1"));
    const gone = following(it, () => it.do(event(2, members("web1")), 1));
    expect(gone).toEqual({ log: ["1 no longer firing: db1"], pages: [] });
    const back = following(it, () => it.do(event(3, members("web1", "db1")), 2));
    expect(back.pages).toEqual(["alert.open ann", "alert.open bob"]);
  });

  test("of an event that does not name all, none is taken for gone", () => {
    const it = begun(members("web1"));
    it.do(event(2, { members: { names: ["db1"], isPartial: true } }), 1);
    expect(memberNames(it.alert as Alert)).toEqual(["web1", "db1"]);
    it.do(event(3, { members: { names: ["db1"], ended: ["web1"], isPartial: true } }), 2);
    expect(memberNames(it.alert as Alert)).toEqual(["db1"]);
  });

  test("are those of the event's own Id only, and at most 500", () => {
    const it = begun(members("web1"));
    const other = { ...members("api1"), thirdpartyId: "other" };
    expect(following(it, () => it.do(event(2, other), 1))).toEqual({ log: [], pages: [] });
    const many = Array.from({ length: 700 }, (_, i) => `m${i}`);
    it.do(event(3, members(...many)), 2);
    expect(memberNames(it.alert as Alert)).toHaveLength(500);
    expect(following(it, () => it.do(event(4, members(...many)), 3)).pages).toEqual([]);
  });

  const from = (instance: string, ...names: string[]) => ({ members: { names, from: instance } });
  const source = by("x");
  const ended = (...names: string[]): Command => ({
    type: "resolve",
    by: { ...source, accountUserId: null, integrationId: "integration" },
    ended: { thirdpartyId: "disk", names },
  });

  test("of two senders with one Id do not end each other", () => {
    const it = begun(from("prod", "prod1"));
    const second = following(it, () => it.do(event(2, from("staging", "staging1")), 1));
    expect(second.log[0]).toBe("1 more: staging1");
    expect(following(it, () => it.do(ended("staging1"), 2)).log).toEqual([
      "1 no longer firing: staging1",
    ]);
    expect(it.alert?.status).toBe("open");
    expect(it.do(ended("staging1"), 3)).toMatchObject({ kind: "unchanged" });
    it.do(ended("prod1"), 4);
    expect(it.alert?.status).toBe("resolved");
  });

  test("of replicas that report the same things are the same members", () => {
    const it = begun(from("a", "web1", "db1"));
    for (const [i, of] of ["b", "a", "b", "b"].entries()) {
      const after = following(it, () => it.do(event(2 + i, from(of, "web1", "db1")), i));
      expect(after, of).toEqual({ log: [], pages: [] });
    }
    it.do(event(9, from("b", "web1")), 9);
    expect(memberNames(it.alert as Alert)).toEqual(["web1"]);
    it.do(ended("web1"), 10);
    expect(it.alert?.status).toBe("resolved");
  });

  test("an end of another Id, or without members, resolves the whole alert", () => {
    for (const thirdpartyId of ["other", null]) {
      const it = begun(members("web1"));
      const { by: sender } = ended() as Extract<Command, { type: "resolve" }>;
      it.do({ type: "resolve", by: sender, ended: { thirdpartyId, names: ["x"] } }, 1);
      expect(it.alert?.status).toBe("resolved");
    }
  });
});

describe("the latest event's texts", () => {
  test("are shown where they differ from the first's", () => {
    const link = (value: string) => [{ format: "link" as const, label: "Graph", value }];
    const it = begun({ additionalData: link("https://a.example/1") });
    it.do(event(2, { title: "Disk full", additionalData: link("https://a.example/1") }), 1);
    expect(it.alert?.latest).toBeUndefined();
    const other = { title: "Disk fuller", description: "99 %", additionalData: [] };
    const after = following(it, () => it.do(event(3, other), 2));
    expect(after).toEqual({ log: [], pages: [] });
    const latest = { title: "Disk fuller", description: "99 %", link: null };
    expect(it.alert).toMatchObject({ title: "Disk full", latest });
    it.do(event(4, { additionalData: link("https://a.example/1") }), 3);
    expect(it.alert?.latest).toBeUndefined();
  });

  test("are compared with what the sender said, not with a person's changes", () => {
    const it = begun();
    it.do({ type: "change", changes: { title: "Ours" }, by: by("ann") }, 1);
    it.do(event(2, { urgency: "low" }), 2);
    expect(it.alert).toMatchObject({ title: "Ours" });
    expect(it.alert?.latest).toBeUndefined();
  });
});

// ── Any sequence of events ──

const NAMES = ["web1", "web2", "db1", "db2"];

type Said = {
  readonly urgency: AlertUrgency;
  readonly names: readonly string[];
  readonly isPartial: boolean;
};
type Step =
  | { readonly do: "event"; readonly said: Said }
  /** The latest event again, or together with the one before it. */
  | { readonly do: "retry" }
  | { readonly do: "acknowledge" | "snooze" | "lower"; readonly who: string }
  | { readonly do: "wait"; readonly minutes: number };

const said: fc.Arbitrary<Said> = fc.record({
  urgency: fc.constantFrom(...ALERT_URGENCIES.filter((it) => it !== "silent")),
  names: fc.subarray(NAMES, { minLength: 1 }),
  isPartial: fc.boolean(),
});
const who = fc.constantFrom("ann", "bob", "cid");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: said.map((it) => ({ do: "event", said: it }) as const) },
  { weight: 3, arbitrary: fc.constant({ do: "retry" } as const) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("acknowledge", "snooze", "lower"), who }),
  },
  { weight: 2, arbitrary: fc.nat(8).map((minutes) => ({ do: "wait", minutes }) as const) },
);

const rank = (urgency: AlertUrgency) => ALERT_URGENCIES.indexOf(urgency);
const reportOf = ({ names, isPartial }: Said): ReportedMembers =>
  isPartial ? { names, isPartial } : { names };

/** Who must be notified of news: who has acknowledged, or is asked now. */
function concerned({ workflows }: Alert): string[] {
  return workflows.flatMap(({ state, accountUserIds, acknowledgedBy }) =>
    state === "open" ? accountUserIds : state === "acknowledged" ? [acknowledgedBy ?? "?"] : [],
  );
}

const RUNS = sized(300, 20_000);

test(`for ${RUNS} histories: the urgency is the highest, and each rise and member is told once`, () => {
  fc.assert(
    fc.property(said, fc.array(step, { maxLength: 25 }), (first, steps) => {
      const it = begun({ urgency: first.urgency, members: reportOf(first) });
      let [last, minute] = [1, 0];
      let [latest, highest, urgency] = [first, first.urgency, first.urgency];
      let firing = new Set(first.names);
      for (const one of steps) {
        const before = it.alert as Alert;
        const from: readonly LogEntry[] = it.log;
        const count = from.length;
        if (one.do === "wait") {
          minute += one.minutes;
          it.do(tick, minute);
          continue;
        }
        if (one.do === "acknowledge") it.do({ type: "acknowledge", by: by(one.who) }, minute);
        if (one.do === "snooze") {
          it.do({ type: "snooze", until: T0 + 9e6, by: by(one.who) }, minute);
        }
        if (one.do === "lower") {
          it.do({ type: "change", changes: { urgency: "low" }, by: by(one.who) }, minute);
          urgency = "low";
        }
        if (one.do === "retry") {
          const again = event(last, { urgency: latest.urgency, members: reportOf(latest) });
          expectEqual(it.do(again, minute), { kind: "unchanged", result: "counted" });
        }
        if (one.do !== "event") continue;
        last += 1;
        latest = one.said;
        const shown = following(it, () =>
          it.do(event(last, { urgency: latest.urgency, members: reportOf(latest) }), minute),
        );
        const isRise = rank(latest.urgency) > rank(highest) && rank(latest.urgency) > rank(urgency);
        if (rank(latest.urgency) > rank(highest)) highest = latest.urgency;
        const raised = `Urgency raised from ${urgency} to ${latest.urgency}`;
        if (isRise) urgency = latest.urgency;
        const added = latest.names.filter((name) => !firing.has(name));
        firing = new Set(latest.isPartial ? [...firing, ...latest.names] : latest.names);
        const after = it.alert as Alert;
        expectEqual(after.urgency, urgency);
        expectEqual(new Set(memberNames(after)), firing);
        const rises = shown.log.filter((text) => text === raised);
        expectEqual(rises.length, isRise ? 1 : 0);
        const more = shown.log.filter((text) => / more: /.test(text));
        const said = more.flatMap((text) => text.split(": ")[1]?.split("; "));
        expectEqual(said, added);
        const people = isRise || added.length > 0 ? concerned(before) : [];
        if (before.status === "dropped") continue;
        const pages = people.map((id) => `alert.open ${id}`);
        expectEqual(shown.pages.sort(), pages.sort());
        const isNow = it.log.slice(count).every(({ at }) => at === T0 + minute * MINUTE);
        expectEqual(isNow, true);
      }
    }),
    { numRuns: RUNS },
  );
});
