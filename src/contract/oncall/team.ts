// A team.
import * as z from "zod";
import { NOTIFICATION_AUDIENCES } from "../../domain/audiences.ts";
import { choice, common, identifier, identifiers, listOf, text } from "../shared/fields.ts";

export const Attachment = z.object({
  filename: text("What the file is called.", "runbook.pdf"),
  url: text("An https address.", "https://example.com/runbook.pdf"),
});
export type Attachment = z.output<typeof Attachment>;

export const Team = z.object({
  ...common("team"),
  name: text("Its name.", "Payments"),
  notes: text("Notes shown with the team.", "Runbooks: https://example.com/runbooks").nullable(),
  escalation_policy_id: identifier(
    "escalation_policy",
    "The team's active policy; without it, a create makes one.",
  ).nullable(),
  schedule_id: identifier(
    "schedule",
    "The team's active schedule; without it, a create makes one.",
  ).nullable(),
  member_account_user_ids: identifiers("account_user", "Members, at least one."),
  admin_account_user_ids: identifiers("account_user", "Admins of the team, at least one."),
  drop_notifications: choice(
    NOTIFICATION_AUDIENCES,
    "Who is told when nobody answered an alert.",
    "team_admins",
  ),
  handoff_notifications: choice(NOTIFICATION_AUDIENCES, "Who is told when a shift begins."),
  drop_notification_account_user_ids: identifiers(
    "account_user",
    "Who is told with `specific_users`.",
    [],
  ),
  handoff_notification_account_user_ids: identifiers(
    "account_user",
    "Who is told with `specific_users`.",
    [],
  ),
  attachments: listOf(Attachment, "Files kept elsewhere."),
});
export type Team = z.output<typeof Team>;
