// Notification rules as steps: which documents are no more than that, and that they are written as they are read.
import { describe, expect, test } from "vitest";
import { changedSteps } from "../../../../src/console/routing/notification-steps.tsx";
import {
  readSteps,
  writeSteps,
} from "../../../../src/domain/routing/builder/notification-steps.ts";
import { readNotificationRules } from "../../../../src/domain/routing/rules/notification-rules.ts";
import { MINUTE } from "../../../../src/domain/shared/time.ts";

const document = (actions: string, match = "{ always: true }", more = "") =>
  `rules:\n  - match: ${match}\n    actions: [${actions}]\n${more}`;

const shown = (text: string) =>
  readSteps(text)?.map(({ after, channel }) => `${after / MINUTE} ${channel}`) ?? null;

const PUSH = "{ type: notify, channels: [push], timeout: 30s }";
const CALL = "{ type: notify, channels: voice }";

describe("a notification rule", () => {
  test.each([
    [CALL, ["0 voice"]],
    [`${PUSH}, ${CALL}`, ["0 push", "0.5 voice"]],
    [
      `{ type: notify, channels: [push, email], timeout: 5m }, ${CALL}`,
      ["0 push", "0 email", "5 voice"],
    ],
  ])("is steps: %s", (actions, expected) => {
    expect(shown(document(actions))).toEqual(expected);
  });

  test.each([
    ["a condition", document(CALL, "{ alert.urgency: low }")],
    ["events", document(CALL, "{ always: true }", "    types: [alert.resolved]\n")],
    [
      "a second rule",
      document(
        CALL,
        "{ always: true }",
        "  - match: { always: true }\n    actions: [{ type: ignore }]\n",
      ),
    ],
    ["a repeat", document(`${PUSH}, { type: repeat, times: 1 }`)],
    ["quiet hours", document(`${CALL}, { type: hold, until: "07:00" }`)],
    ["no actions for anybody", document("{ type: ignore }")],
    [
      "a chosen address",
      document("{ type: notify, channels: [sms], channel_options: { sms: secondary } }"),
    ],
    [
      "a condition of delivery",
      document(`${PUSH}, { type: notify, channels: [sms], unless_delivered: true }`),
    ],
    ["a wait after the last", document(PUSH)],
    ["no wait between two", document(`${CALL}, ${CALL}`)],
    ["a match of nothing", document(CALL, "{ always: false }")],
    ["a fault", "rules: ["],
    ["no rules", "rules: []"],
  ])("is more than steps with %s", (_, text) => {
    expect(readSteps(text)).toBe(null);
  });

  test("is read as it is written, and is valid", () => {
    const steps = [
      { after: 0, channel: "push" },
      { after: 0, channel: "email" },
      { after: MINUTE / 2, channel: "sms" },
      { after: 90 * MINUTE, channel: "voice" },
    ];
    const text = writeSteps(steps);
    expect(readNotificationRules(text).ok).toBe(true);
    expect(readSteps(text)).toEqual(steps);
  });

  test.each([
    ["add sms", ["0 push", "3 email", "8 sms"]],
    ["up 1", ["0 email", "3 push"]],
    ["up 0", ["0 push", "3 email"]],
    ["remove 0", ["3 email"]],
    ["remove 7", ["0 push", "3 email"]],
    ["", ["0 push", "3 email"]],
  ])("after the button %s", (change, expected) => {
    const steps = changedSteps(
      [
        { after: 0, channel: "push" },
        { after: 3 * MINUTE, channel: "email" },
      ],
      change,
    );
    expect(steps.map(({ after, channel }) => `${after / MINUTE} ${channel}`)).toEqual(expected);
  });
});
