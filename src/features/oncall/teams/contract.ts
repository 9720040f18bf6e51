// A team.
import * as z from "zod";
import { NOTIFICATION_AUDIENCES } from "../../../domain/oncall/audiences.ts";
import {
  choice,
  common,
  identifier,
  identifiers,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const Attachment = z.object({
  filename: text("The name of the file.", "runbook.pdf"),
  url: text("An https address.", "https://example.com/runbook.pdf"),
});
export type Attachment = z.output<typeof Attachment>;

export const Team = z.object({
  ...common("team"),
  name: text("The name.", "Payments"),
  notes: text("Notes about the team.", "Runbooks: https://example.com/runbooks").nullable(),
  escalation_policy_id: identifier(
    "escalation_policy",
    "The team's escalation policy. If omitted on create, a policy is created.",
  ).nullable(),
  schedule_id: identifier(
    "schedule",
    "The team's schedule. If omitted on create, a schedule is created.",
  ).nullable(),
  member_account_user_ids: identifiers("account_user", "The members; at least one."),
  admin_account_user_ids: identifiers("account_user", "The admins of the team; at least one."),
  drop_notifications: choice(
    NOTIFICATION_AUDIENCES,
    "Who is notified of dropped alerts.",
    "team_admins",
  ),
  handoff_notifications: choice(NOTIFICATION_AUDIENCES, "Who is notified of on-call handoffs."),
  gap_notifications: choice(
    NOTIFICATION_AUDIENCES,
    "Who is notified of hours in the next 14 days for which nobody is on call.",
    "team_admins",
  ),
  drop_notification_account_user_ids: identifiers(
    "account_user",
    "The recipients with `specific_users`.",
    [],
  ),
  handoff_notification_account_user_ids: identifiers(
    "account_user",
    "The recipients with `specific_users`.",
    [],
  ),
  gap_notification_account_user_ids: identifiers(
    "account_user",
    "The recipients with `specific_users`.",
    [],
  ),
  attachments: listOf(Attachment, "Links to files."),
});
export type Team = z.output<typeof Team>;
