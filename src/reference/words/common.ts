// The words of what stands in every record, in lists and in errors.
import type { Words } from "../word.ts";

export const COMMON_WORDS: Words = {
  // ── Every record ──
  id: ["The record's identifier, a ULID."],
  prefix_id: ["The other form of `id`. Every parameter accepts either form."],
  account_id: ["The account of the record."],
  created_at: ["When the record was created."],
  updated_at: ["When the record was last updated."],
  meta: ["Custom metadata: an object of at most 16 KiB.", { region: "eu" }, "shown only"],
  name: ["The name.", "Payments"],
  "Schedule.name": ["The name.", "Payments Schedule"],
  "User.name": ["The person's full name.", "Ada Lovelace"],
  "Person.name": ["The person's full name.", "Ada Lovelace"],
  "AccountUser.name": ["The person's full name.", "Ada Lovelace"],
  "user_attributes.name": ["The person's full name.", "Ada Lovelace"],
  "ApiKey.name": ["The name of the key.", "Deploy script"],
  "Integration.name": ["The name.", "Production monitoring"],
  "EscalationPolicy.name": ["The name.", "Payments Escalation Policy"],
  "MaintenanceWindow.name": ["The name.", "Database upgrade"],
  "NotificationRule.name": ["The name.", "Quiet nights"],
  "Router.name": ["The name.", "By severity"],
  "CalendarFeed.name": ["The name of the calendar. Default: the name of its source.", "On call"],
  "IntegrationType.name": ["The type's name, snake_case.", "webhook"],
  "IntegrationTypeName.name": ["The type's name, snake_case.", "webhook"],
  description: ["The description.", "Writes fail on db-1.", "shown only"],
  title: ["The title.", "Disk full on db-1"],
  "Broadcast.title": ["The title.", "Maintenance tonight"],
  "Broadcast.description": ["The description.", "The database is upgraded at 22:00 UTC."],
  "MaintenanceWindow.description": ["The description.", "The database gets a new version."],
  enabled: ["Whether the record is enabled.", true],

  // ── Lists and errors ──
  data: ["The records of this page."],
  has_more: ["Whether there are more records."],
  total_count: ["The total number of records.", 1],
  errors: ["All errors of the request."],
  code: ["The HTTP status.", 422],
  request_id: ["The request's identifier. Include it when you report a problem."],
  "ErrorMessage.message": ["The error message.", "title can't be blank"],
  "ErrorMessage.field": ["The invalid parameter.", "title"],
};
