// A request for cover: a person asks others to be on call instead of them.
import * as z from "zod";
import {
  ANSWER_CHANNELS,
  REQUEST_ANSWERS,
  REQUEST_STATUSES,
} from "../../../domain/oncall/requests/cover-request.ts";
import {
  choice,
  common,
  identifier,
  identifiers,
  instant,
  listOf,
  nested,
  text,
} from "../../shared/fields.ts";
import { UncoveredHours } from "../covers/cover.ts";

export const CoverRequestReturn = z
  .object({
    start_datetime: instant("The start of the hours.", "2036-08-04T09:00:00.000Z"),
    end_datetime: instant("The end of the hours (exclusive).", "2036-08-05T09:00:00.000Z"),
  })
  .nullable();
export type CoverRequestReturn = z.output<typeof CoverRequestReturn>;

export const AskedPerson = z.object({
  account_user_id: identifier("account_user", "The person."),
  answer: choice(REQUEST_ANSWERS, "What they have answered.", "pending"),
  answered_at: instant("When they answered.", null).nullable(),
  channel: choice(
    ANSWER_CHANNELS,
    "How they answered. Null also for people who have left the account: they count as declined.",
    null,
  ).nullable(),
});
export type AskedPerson = z.output<typeof AskedPerson>;

export const CoverRequest = z.object({
  ...common("cover_request"),
  account_user_id: identifier("account_user", "The person who is to be covered."),
  start_datetime: instant("The start of the hours to be covered.", "2036-07-28T09:00:00.000Z"),
  end_datetime: instant(
    "The end of the hours to be covered (exclusive).",
    "2036-07-29T09:00:00.000Z",
  ),
  schedule_ids: identifiers(
    "schedule",
    "Only shifts in these schedules, in both directions; empty: in all schedules.",
    [],
  ),
  in_return: nested(
    CoverRequestReturn,
    "Of a swap: the hours that the person takes over from whoever accepts; null: nothing in return.",
  ),
  reason: text("Why the person asks.", "Doctor's appointment").nullable(),
  status: choice(
    REQUEST_STATUSES,
    "`open` until the first person accepts, all have declined, it expires or is cancelled.",
    "open",
  ),
  expires_at: instant(
    "From then on nobody can accept: at the latest when the hours begin.",
    "2036-07-28T09:00:00.000Z",
  ),
  ended_at: instant(
    "When it was accepted, declined by all, cancelled or expired.",
    null,
  ).nullable(),
  asked: listOf(AskedPerson, "The people who are asked, and their answers."),
  account_user_ids: identifiers("account_user", "The people who are asked."),
  accepted_by: identifier("account_user", "Who has accepted.").nullable(),
  cover_ids: identifiers(
    "cover",
    "The covers that accepting has made: one, or two of a swap. Those that still exist.",
    [],
  ),
});
export type CoverRequest = z.output<typeof CoverRequest>;

export const CoverRequestWithHours = CoverRequest.extend({
  hours: listOf(
    UncoveredHours,
    "The hours in which the person is on call now. Empty: nobody can accept, nothing is left to be covered.",
  ),
});
export type CoverRequestWithHours = z.output<typeof CoverRequestWithHours>;
