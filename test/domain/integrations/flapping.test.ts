// What `pause_for` and `reopen_within` would have changed in past alerts.
import { expect, test } from "vitest";
import { type PastAlert, replayPast } from "../../../src/domain/integrations/flapping.ts";

const MINUTE = 60_000;

/** `id@created-ended`, in minutes; `!` a person ended it, `~` a timer did; then who acknowledged it. */
function past(text: string): PastAlert {
  const [, thirdpartyId = "", id = "", from = "", end = "", to = "", by = ""] =
    /^(\w)(\d)@(\d+)([-!~]?)(\d*) ?(\w*)$/.exec(text) ?? [];
  return {
    ...{ id: thirdpartyId + id, thirdpartyId, createdAt: Number(from) * MINUTE },
    healedAt: end === "-" || end === "~" ? Number(to) * MINUTE : null,
    isResolvedBySender: end === "-",
    acknowledgedBy: by === "" ? null : by,
  };
}

const shown = (alerts: readonly string[], pause: number, reopen: number) =>
  replayPast(alerts.map(past), { pauseMs: pause * MINUTE, reopenMs: reopen * MINUTE }).map((it) =>
    it.option === "pause_for"
      ? `${it.alertId} paused`
      : `${it.alertId} continues ${it.continuesId}, ${it.firstId ?? "the layers"}`,
  );

test.each<[string, readonly string[], number, number, readonly string[]]>([
  ["both off", ["a1@0-1", "a2@2-3"], 0, 0, []],
  ["resolved within the pause", ["a1@0-1", "b1@0-3", "c1@0"], 2, 0, ["a1 paused"]],
  ["at the end of the pause it has lasted", ["a1@0-2"], 2, 0, []],
  ["resolved by a timer", ["a1@0~1"], 2, 0, ["a1 paused"]],
  ["resolved by a person: nobody else would have", ["a1@0!1"], 2, 0, []],
  ["fired again in time", ["a1@0-9 ann", "a2@11-20"], 0, 5, ["a2 continues a1, ann"]],
  [
    "fired again in time, unanswered",
    ["a1@0-9", "a2@11-20"],
    0,
    5,
    ["a2 continues a1, the layers"],
  ],
  ["fired again too late", ["a1@0-9 ann", "a2@14-20"], 0, 5, []],
  ["another Id", ["a1@0-9 ann", "b1@11-20"], 0, 5, []],
  ["after a person or a timer resolved it", ["a1@0!9", "a2@11", "b1@0~9", "b2@11"], 0, 5, []],
  [
    "a chain: who acknowledged last is asked",
    ["a1@0-9 ann", "a2@11-20 bob", "a3@22-30", "a4@31-40"],
    ...[0, 5],
    ["a2 continues a1, ann", "a3 continues a1, bob", "a4 continues a1, the layers"],
  ] as const,
  [
    "both: what is paused and comes back is paused again",
    ["a1@0-1", "a2@2-3"],
    2,
    5,
    ["a1 paused", "a2 paused"],
  ],
  [
    "both: what was paused and comes back for longer asks the layers",
    ["a1@0-1", "a2@2-9"],
    ...[2, 5],
    ["a1 paused", "a2 continues a1, the layers"],
  ] as const,
  [
    "both: who was asked is asked at once",
    ["a1@0-9 ann", "a2@11-12"],
    2,
    5,
    ["a2 continues a1, ann"],
  ],
])("%s", (_, alerts, pause, reopen, expected) => {
  expect(shown(alerts, pause, reopen)).toEqual(expected);
});
