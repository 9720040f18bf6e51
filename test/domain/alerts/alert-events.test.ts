// Which events a step of an alert is to others, for every step there is; and whom they concern.
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

/** The events of a command, without "alert.". */
function events(it: History, command: Command, minutes: number): string[] {
  const before = it.alert;
  const outcome = it.do(command, minutes);
  if (outcome.kind !== "changed") return [outcome.kind];
  const told = alertEvents(before, outcome.alert, command, T0 + minutes * MINUTE);
  return told.map(({ event, detail }) =>
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

describe("a step is told as", () => {
  test("created and open; created and dropped where nobody is on call; created alone where it is kept quiet", () => {
    const payments = team("payments", ["ann"]);
    expect(events(history([payments]), create([payments]), 0)).toEqual(["created", "open"]);
    const empty = team("empty", [""]);
    expect(events(history([empty]), create([empty]), 0)).toEqual(["created", "dropped"]);
    const maintenance = { at: T0, until: T0 + MINUTE };
    const quiet = events(history([payments]), create([payments], { maintenance }), 0);
    expect(quiet).toEqual(["created"]);
  });

  test("nothing, when it only counts", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments]), 0);
    expect(events(it, create([payments], {}, [2]), 1)).toEqual([]);
  });

  test("each acknowledgement, and the resolution, once", () => {
    const [one, other] = [team("one", ["ann"]), team("other", ["bob"])];
    const it = history([one, other]);
    events(it, create([one, other]), 0);
    expect(events(it, acknowledge("ann"), 1)).toEqual(["acknowledged"]);
    expect(events(it, acknowledge("bob"), 2)).toEqual(["acknowledged"]);
    expect(events(it, acknowledge("bob"), 3)).toEqual(["refused"]);
    expect(events(it, resolve, 4)).toEqual(["resolved"]);
    expect(events(it, resolve, 5)).toEqual(["refused"]);
  });

  test("the layers that did not answer, who was asked instead, and the drop", () => {
    const carl = personAlone("carl");
    const payments = team("payments", ["ann", "bob"], { reassign: [carl.destination] });
    const it = history([payments, carl]);
    events(it, create([payments]), 0);
    expect(events(it, tick, 5)).toEqual(["timeout: Team payments, layer 1"]);
    expect(events(it, tick, 10)).toEqual(["timeout: Team payments, layer 2", "assigned: CARL"]);
    expect(events(it, tick, 20)).toEqual(["timeout: CARL, layer 1", "dropped"]);
    expect(events(it, create([payments], {}, [2]), 21)).toEqual(["open"]);
  });

  test("a rejection, and what comes of it", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments]), 0);
    expect(events(it, { type: "reject", by: by("ann") }, 1)).toEqual(["rejected", "dropped"]);
    expect(events(it, acknowledge("ann"), 2)).toEqual(["acknowledged"]);
  });

  test("a hand-off, however it opens the alert again", () => {
    const [one, other] = [team("one", ["ann"]), team("other", ["bob"])];
    const it = history([one, other]);
    events(it, create([one]), 0);
    events(it, acknowledge("ann"), 1);
    const destinations = { teamIds: ["other"], routerIds: [], accountUserIds: [] };
    const handoff = { type: "handoff", destinations, note: "theirs", by: by("ann") } as const;
    expect(events(it, handoff, 2)).toEqual(["handoff: theirs"]);
    expect(it.alert?.status).toBe("open");
  });

  test("resolved by itself, with no layer's time over", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments], { autoResolveMs: 5 * MINUTE }), 0);
    expect(events(it, tick, 5)).toEqual(["resolved"]);
  });

  test("nothing where only words change; destroyed when it is deleted", () => {
    const payments = team("payments", ["ann"]);
    const it = history([payments]);
    events(it, create([payments]), 0);
    expect(events(it, { type: "change", changes: { title: "B" }, by: by("ann") }, 1)).toEqual([]);
    expect(events(it, { type: "delete", by: by("ann") }, 2)).toEqual(["destroyed"]);
  });
});

test("an alert concerns where it was sent, where it was led, and whoever was asked", () => {
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

describe("an integration tells", () => {
  const audience = { teamIds: ["payments"], routerIds: [], accountUserIds: ["ann"] };
  const told = (more: Partial<Announcement> = {}): Omit<Announcement, "payload"> => ({
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
  const teller = (
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
    ["of its team's alerts", teller({}), {}, true],
    ["of no other team's", teller({}, ["search"]), {}, false],
    ["of everything, if it says so", teller({ everything: true }, ["search"]), {}, true],
    ["not of what is switched off", teller({ alert_open: false }), {}, false],
    ["not of what is off by itself", teller({}), { event: "alert.created" }, false],
    ["of what is switched on", teller({ alert_created: true }), { event: "alert.created" }, true],
    ["not of what its type knows nothing of", teller({}), { event: "comment.created" }, false],
    ["not of what it said itself", teller({}), { from: "teller" }, false],
    ["of what another said", teller({}), { from: "other" }, true],
    ["not through ever more accounts", teller({}), { trail: "abcdefgh".split("") }, false],
  ])("%s", (_, one, more, expected) => {
    expect(receivesAnnouncement(one, told(more), defaults)).toBe(expected);
  });
});
