// A fire drill of a team, and its report.
import * as z from "zod";
import { ALERT_STATUSES } from "../../../domain/alerts/alert.ts";
import {
  choice,
  common,
  identifier,
  instant,
  integer,
  listOf,
  number,
  text,
} from "../../../kernel/contract/fields.ts";

export const DrillPerson = z.object({
  account_user_id: identifier("account_user", "The person's membership in the account."),
  layer: integer("The escalation layer that asked the person first.", 1).nullable(),
  notified_at: instant("When the first message was sent to the person.", null).nullable(),
  channels: listOf(z.string(), "The channels on which a message was sent.", ["push", "sms"]),
  answer: choice(
    ["acknowledged", "rejected", "none", "not_reached"],
    "What the person did; `not_reached` if no message could be sent.",
    "acknowledged",
  ),
});
export type DrillPerson = z.output<typeof DrillPerson>;

export const Drill = z.object({
  ...common("alert"),
  title: text("The title of the drill's alert.", "DRILL: Database down"),
  team_id: identifier("team", "The team."),
  started_by_id: identifier("account_user", "The account user who started the drill."),
  status: choice(ALERT_STATUSES, "The status of the drill's alert.", "acknowledged"),
  ended_at: instant("When the drill ended; null while it runs.", null).nullable(),
  acknowledged_by_id: identifier("account_user", "Who acknowledged the drill.").nullable(),
  seconds_to_notify: number("Seconds until the first message was sent.", 0.4).nullable(),
  seconds_to_acknowledge: number("Seconds until the acknowledgement.", 95).nullable(),
  layers_reached: integer("The highest escalation layer that was asked.", 1),
  people: listOf(DrillPerson, "Everybody who was asked, in the order of the first message."),
});
export type Drill = z.output<typeof Drill>;
