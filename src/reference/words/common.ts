// The words of what stands in every record, in lists and in errors.
import type { Words } from "../word.ts";

export const COMMON_WORDS: Words = {
  // ── Every record ──
  id: ["The record's identifier, a ULID."],
  prefix_id: ["The other form of `id`; either may be used wherever an identifier is asked for."],
  account_id: ["The account it belongs to."],
  created_at: ["When it was created."],
  updated_at: ["When it was last changed."],
  meta: ["A free hash of at most 16 KiB.", { region: "eu" }, "shown only"],
  name: ["Its name.", "Payments"],
  "Schedule.name": ["Its name.", "Payments Schedule"],
  "User.name": ["The person's full name.", "Ada Lovelace"],
  "Person.name": ["The person's full name.", "Ada Lovelace"],
  "AccountUser.name": ["The person's full name.", "Ada Lovelace"],
  "user_attributes.name": ["The person's full name.", "Ada Lovelace"],
  "ApiKey.name": ["What the key is for.", "Deploy script"],
  "Integration.name": ["Its name.", "Production monitoring"],
  "EscalationPolicy.name": ["Its name.", "Payments Escalation Policy"],
  "MaintenanceWindow.name": ["Its name.", "Database upgrade"],
  "NotificationRule.name": ["Its name.", "Quiet nights"],
  "Router.name": ["Its name.", "By severity"],
  "CalendarFeed.name": [
    "What the calendar is called; without it, the name of what it shows.",
    "On call",
  ],
  "IntegrationType.name": ["The type's name, snake_case.", "webhook"],
  "IntegrationTypeName.name": ["The type's name, snake_case.", "webhook"],
  description: ["A longer text.", "Writes fail on db-1.", "shown only"],
  title: ["A short text.", "Disk full on db-1"],
  "Broadcast.title": ["Its title.", "Maintenance tonight"],
  "Broadcast.description": ["A longer text.", "The database is upgraded at 22:00 UTC."],
  "MaintenanceWindow.description": ["A longer text.", "The database gets a new version."],
  enabled: ["Whether it is in use.", true],

  // ── Lists and errors ──
  data: ["The records of this page."],
  has_more: ["Whether more follow."],
  total_count: ["How many there are in all.", 1],
  errors: ["All that is wrong, at once."],
  code: ["The HTTP status.", 422],
  request_id: ["Quote it when you ask about the request."],
  "ErrorMessage.message": ["What is wrong, in words.", "title can't be blank"],
  "ErrorMessage.field": ["The parameter at fault.", "title"],
};
