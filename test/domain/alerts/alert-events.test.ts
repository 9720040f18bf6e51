// The outgoing events of every kind of step of an alert, and their audience.
import { describe, expect, test } from "vitest";
import type { Alert } from "../../../src/domain/alerts/alert.ts";
import { alertAudience, alertEvents } from "../../../src/domain/alerts/alert-events.ts";
import type { Command } from "../../../src/domain/alerts/commands.ts";
import {
  type Announcement,
  type AnnouncementTarget,
  receivesAnnouncement,
} from "../../../src/domain/integrations/announcement.ts";
import {
  by,
  draft,
  type History,
  history,
  MINUTE,
  personAlone,
  SENDER,
  T0,
  team,
} from "./alert-makers.ts";

/** The events of a command, without the prefix `alert.`. */
function events(it: History, command: Command, minutes: number): string[] {
  const before = it.alert;
  const outcome = it.do(command, minutes);
  if (outcome.kind !== "changed") return [outcome.kind];
  const announced = alertEvents(before, outcome.alert, command, T0 + minutes * MINUTE);
  return announced.map(({ event, detail }) =>
    [event.replace("alert.", ""), detail].filter(Boolean).join(": "),
  );
}

const tick = { type: "tick" } as const;
const acknowledge = (id: string) => ({ type: "acknowledge", by: by(id) }) as const;
const resolve = { type: "resolve", by: SENDER } as const;
const create = (
  destinations: Parameters<typeof draft>[0],
  changes: Parameters<typeof draft>[1] = {},
  sequences = [1],
) => ({ type: "create", draft: draft(destinations, changes), sequences }) as const;

describe("a step announces", () => {
  test("created and open; created and dropped if nobody is on call; only created during maintenance", () => {
    const payments = team("payments", ["ann"]);
    expect(events(history([payments]), create([payments]), 0)).toEqual(["created", "open"]);
    const empty = team("empty", [""]);
    expect(events(history([empty]), create([empty]), 0)).toEqual(["created", "dropped"]);
    const maintenance = { at: T0, until: T0 + MINUTE };
    const duringMaintenance = events(history([payments]), create([payments], { maintenance }), 0);
    expect(duringMaintenance).toEqual(["created"]);
  });

  test("nothing if it only counts a repetition", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments]), 0);
    expect(events(it, create([payments], {}, [2]), 1)).toEqual([]);
  });

  test("each acknowledgement and the resolution once", () => {
    const [one, other] = [team("one", ["ann"]), team("other", ["bob"])];
    const it = history([one, other]);
    events(it, create([one, other]), 0);
    expect(events(it, acknowledge("ann"), 1)).toEqual(["acknowledged"]);
    expect(events(it, acknowledge("bob"), 2)).toEqual(["acknowledged"]);
    expect(events(it, acknowledge("bob"), 3)).toEqual(["refused"]);
    expect(events(it, resolve, 4)).toEqual(["resolved"]);
    expect(events(it, resolve, 5)).toEqual(["refused"]);
  });

  test("the layers that timed out, the reassignment and the drop", () => {
    const carl = personAlone("carl");
    const payments = team("payments", ["ann", "bob"], { reassign: [carl.destination] });
    const it = history([payments, carl]);
    events(it, create([payments]), 0);
    expect(events(it, tick, 5)).toEqual(["timeout: Team payments, step 1"]);
    expect(events(it, tick, 10)).toEqual(["timeout: Team payments, step 2", "assigned: CARL"]);
    expect(events(it, tick, 20)).toEqual(["timeout: CARL, step 1", "dropped"]);
    expect(events(it, create([payments], {}, [2]), 21)).toEqual(["open"]);
  });

  test("a rejection, the resulting drop and a late acknowledgement", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments]), 0);
    expect(events(it, { type: "reject", by: by("ann") }, 1)).toEqual(["rejected", "dropped"]);
    expect(events(it, acknowledge("ann"), 2)).toEqual(["acknowledged"]);
  });

  test("a handoff, but not the reopening that it causes", () => {
    const [one, other] = [team("one", ["ann"]), team("other", ["bob"])];
    const it = history([one, other]);
    events(it, create([one]), 0);
    events(it, acknowledge("ann"), 1);
    const destinations = { teamIds: ["other"], routerIds: [], accountUserIds: [] };
    const handoff = { type: "handoff", destinations, note: "theirs", by: by("ann") } as const;
    expect(events(it, handoff, 2)).toEqual(["handoff: theirs"]);
    expect(it.alert?.status).toBe("open");
  });

  test("an automatic resolve, but no layer timeout", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments], { autoResolveMs: 5 * MINUTE }), 0);
    expect(events(it, tick, 5)).toEqual(["resolved"]);
  });

  test("nothing if only content changes; destroyed if the alert is deleted", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments]), 0);
    expect(events(it, { type: "change", changes: { title: "B" }, by: by("ann") }, 1)).toEqual([]);
    expect(events(it, { type: "delete", by: by("ann") }, 2)).toEqual(["destroyed"]);
  });
});

test("the audience includes the destinations, the reassigned destinations and everyone notified", () => {
  const carl = personAlone("carl");
  const payments = team("payments", ["ann"], { reassign: [carl.destination] });
  const it = history([payments, carl]);
  it.do(create([payments]), 0);
  it.do(tick, 5);
  expect(alertAudience(it.alert as Alert)).toEqual({
    teamIds: ["payments"],
    routerIds: [],
    accountUserIds: ["carl", "ann"],
  });
});

describe("an outgoing integration receives", () => {
  const audience = { teamIds: ["payments"], routerIds: [], accountUserIds: ["ann"] };
  const announcement = (more: Partial<Announcement> = {}): Omit<Announcement, "payload"> => ({
    effectId: "effect",
    event: "alert.open",
    at: T0,
    lane: "alert",
    sequence: 0,
    alertId: "alert",
    audience,
    from: null,
    trail: [],
    ...more,
  });
  const target = (
    options: AnnouncementTarget["options"],
    teamIds = ["payments"],
  ): AnnouncementTarget => ({
    id: "teller",
    prefixId: "int_teller",
    type: "slack",
    options,
    audience: { teamIds, routerIds: [], accountUserIds: [] },
  });
  const defaults = { "alert.open": true, "alert.created": false } as const;

  test.each<[string, AnnouncementTarget, Partial<Announcement>, boolean]>([
    ["its team's alerts", target({}), {}, true],
    ["no other team's alerts", target({}, ["search"]), {}, false],
    ["everything if `everything` is set", target({ everything: true }, ["search"]), {}, true],
    ["no event that is switched off", target({ alert_open: false }), {}, false],
    ["no event that is off by default", target({}), { event: "alert.created" }, false],
    [
      "an event that is switched on",
      target({ alert_created: true }),
      { event: "alert.created" },
      true,
    ],
    ["no event that its type does not support", target({}), { event: "comment.created" }, false],
    ["no event that it reported itself", target({}), { from: "teller" }, false],
    ["an event that another integration reported", target({}), { from: "other" }, true],
    [
      "no event that passed through too many accounts",
      target({}),
      { trail: "abcdefgh".split("") },
      false,
    ],
  ])("%s", (_, one, more, expected) => {
    expect(receivesAnnouncement(one, announcement(more), defaults)).toBe(expected);
  });
});
