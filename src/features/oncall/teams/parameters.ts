// The parameters of a team (contract 2, Teams).
import * as z from "zod";
import { NOTIFICATION_AUDIENCES } from "../../../domain/oncall/audiences.ts";
import * as field from "../../../kernel/contract/parameters.ts";

const attachment = z.object({
  filename: field.requiredText(255),
  url: field
    .requiredText(2048)
    .refine((url) => URL.parse(url)?.protocol === "https:", "must be an https URL"),
});

export const CreateTeam = z
  .object({
    name: field.requiredText(255),
    notes: field.optionalText(10_000),
    meta: field.hash.optional(),
    schedule_id: field.identifier,
    escalation_policy_id: field.identifier,
    drop_notifications: field.optionalChoice(NOTIFICATION_AUDIENCES),
    handoff_notifications: field.optionalChoice(NOTIFICATION_AUDIENCES),
    gap_notifications: field.optionalChoice(NOTIFICATION_AUDIENCES),
    member_account_user_ids: field.identifiers.optional(),
    admin_account_user_ids: field.identifiers.optional(),
    drop_notification_account_user_ids: field.identifiers.optional(),
    handoff_notification_account_user_ids: field.identifiers.optional(),
    gap_notification_account_user_ids: field.identifiers.optional(),
    attachments: z.array(attachment, "must be a list").max(50, "has more than 50").nullish(),
  })
  .meta({ needs: ["member_account_user_ids", "admin_account_user_ids"] });
export type CreateTeam = z.output<typeof CreateTeam>;

/** What the history records of a team and an undo restores: all but its texts. */
export const RestoredTeam = CreateTeam.omit({
  notes: true,
  attachments: true,
  meta: true,
}).partial();
export const RESTORED_FIELDS: readonly string[] = Object.keys(RestoredTeam.shape);

export const UpdateTeam = CreateTeam.partial()
  .extend({
    leave_schedule: field.optionalFlag.meta({
      description:
        "Whether people who leave the team also leave the rotations of its schedule, unless " +
        "another of their teams uses it. Each serves out a running turn.",
    }),
  })
  .meta({ inExample: ["name"] });
export type UpdateTeam = z.output<typeof UpdateTeam>;
