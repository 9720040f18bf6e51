import { OnCallTeamsQuery } from "../oncall/window.ts";
import { text } from "../shared/fields.ts";

export const ReportQuery = OnCallTeamsQuery.extend({
  time_zone: text(
    "The time zone of days, weeks and hours; UTC by default",
    "Europe/London",
  ).optional(),
});
