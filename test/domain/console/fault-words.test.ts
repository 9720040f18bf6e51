// Refusals in a page's words: labels in place of parameters, and no parameter's name left.
import { expect, test } from "vitest";
import { faultText } from "../../../src/kernel/console/labels.ts";

test.each([
  [
    {
      field: "team_ids",
      message: "at least one of team_ids, router_ids and account_user_ids must name a destination",
    },
    "Choose whom it goes to: a team, a router or a person.",
  ],
  [
    {
      field: "destination_team_ids",
      message: "destination_team_ids needs a destination: a team, a router or an account user",
    },
    "Choose whom it goes to: a team, a router or a person.",
  ],
  [
    {
      field: "destination_team_ids",
      message: "destination_team_ids needs a destination: a team or an account user",
    },
    "Choose whom it goes to: a team or a person.",
  ],
  [
    {
      field: "default_receiver_team_id",
      message:
        "exactly one of default_receiver_team_id, default_receiver_router_id, default_receiver_account_user_id must name the default receiver",
    },
    "Choose whom other alerts go to.",
  ],
  [
    {
      field: "start_datetime",
      message: "start_datetime must be an ISO 8601 date-time with an offset",
    },
    "Start must be a date and a time.",
  ],
  [
    { field: "receiver", message: "the receiver is an account user of another account" },
    "The receiver is a person of another account.",
  ],
  [
    {
      message: "the alert is dropped; only an open, acknowledged or suppressed one can be snoozed",
    },
    "The alert is unanswered; only an open, acknowledged or muted one can be snoozed.",
  ],
])("%j", (error, expected) => {
  expect(faultText(error)).toBe(expected);
});
