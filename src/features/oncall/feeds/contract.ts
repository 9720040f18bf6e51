// A calendar feed.
import * as z from "zod";
import { choice, common, identifier, text } from "../../../kernel/contract/fields.ts";

export const CalendarFeed = z.object({
  ...common("calendar_feed"),
  name: text("The name of the calendar. Default: the name of its source.", "On call"),
  account_user_id: identifier("account_user", "The creator."),
  source_type: choice(["Schedule", "Team", "AccountUser"], "The type of the source."),
  source_id: identifier("integration", "The schedule, team or person that the calendar shows."),
});
export type CalendarFeed = z.output<typeof CalendarFeed>;

export const CalendarFeedWithUrl = CalendarFeed.extend({
  url: text(
    "The URL of the calendar. It is shown only once.",
    "https://tocsin.example.com/feeds/5b1e0c2d7f8a4e93.ics",
  ),
});
export type CalendarFeedWithUrl = z.output<typeof CalendarFeedWithUrl>;
