import { text } from "../../../kernel/contract/fields.ts";
import { OnCallTeamsQuery } from "../../oncall/on-call/parameters.ts";

export const ReportQuery = OnCallTeamsQuery.extend({
  time_zone: text(
    "The time zone of days, weeks and hours; UTC by default",
    "Europe/London",
  ).optional(),
});
