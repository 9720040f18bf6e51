// A calendar feed.
import * as z from "zod";
import { choice, common, identifier, text } from "../shared/fields.ts";

export const CalendarFeed = z.object({
  ...common("calendar_feed"),
  name: text("What the calendar is called; without it, the name of what it shows.", "On call"),
  account_user_id: identifier("account_user", "Who made it."),
  source_type: choice(["Schedule", "Team", "AccountUser"], "What kind of thing it shows."),
  source_id: identifier("integration", "What the calendar shows."),
});
export type CalendarFeed = z.output<typeof CalendarFeed>;

export const CalendarFeedWithUrl = CalendarFeed.extend({
  url: text(
    "The address to subscribe to, this once.",
    "https://tocsin.example.com/feeds/5b1e0c2d7f8a4e93.ics",
  ),
});
export type CalendarFeedWithUrl = z.output<typeof CalendarFeedWithUrl>;
