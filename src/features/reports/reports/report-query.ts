import { identifiers, text } from "../../../kernel/contract/fields.ts";
import { NarrowWindowQuery } from "../../oncall/on-call/parameters.ts";

export const ReportQuery = NarrowWindowQuery.extend({
  time_zone: text(
    "The time zone of days, weeks and hours; UTC by default",
    "Europe/London",
  ).optional(),
  team_ids: identifiers("team", "The teams; all by default.").optional(),
});
