// The parameters of an alert (contract 3, Attributes).
import * as z from "zod";
import { ALERT_URGENCIES, INCIDENT_SEVERITIES, incidentOf } from "../../../domain/alerts/alert.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { unsavedRules } from "../../routing/routers/unsaved-rules-parameters.ts";

/** The longest title and description, in characters. */
const MAX_TITLE = 1024;
const MAX_DESCRIPTION = 65_536;

/** `SEV_1`, `sev-1` → `SEV-1`. */
const severity = z.preprocess(
  (value) => (typeof value === "string" ? value.trim().toUpperCase().replaceAll("_", "-") : value),
  z
    .enum(["", ...INCIDENT_SEVERITIES], `must be one of ${INCIDENT_SEVERITIES.join(", ")}`)
    .nullish(),
);

const meta = field.hash
  .pipe(z.looseObject({ incident_severity: severity }))
  .transform(
    (parameters): Record<string, unknown> => ({ ...parameters, ...incidentOf(parameters) }),
  )
  .meta({
    about: "Alert",
    properties: {
      incident: { type: "boolean" },
      incident_severity: { type: ["string", "null"], enum: [...INCIDENT_SEVERITIES, "", null] },
      incident_message: { type: ["string", "null"] },
    },
  });

/**
 * Replaces unpaired surrogates: the database cannot store them, and a response must match a later
 * read.
 */
const wellFormed = (text: string) => text.toWellFormed();
const wellFormedIfAny = (text: string | null | undefined) => text?.toWellFormed() ?? text;

const content = {
  title: field.requiredText(MAX_TITLE).transform(wellFormed),
  description: field.optionalText(MAX_DESCRIPTION).transform(wellFormedIfAny),
  urgency: field.choice(ALERT_URGENCIES),
  tags: field.words.optional(),
  tag_list: field.words.optional(),
};

export const destinationsParameters = {
  destination_team_ids: field.identifiers.optional(),
  destination_router_ids: field.identifiers.optional(),
  destination_account_user_ids: field.identifiers.optional(),
};

/** The parameters of destinations; creating or handing off an alert requires at least one. */
export const DESTINATIONS = Object.keys(destinationsParameters);

const createAlert = z.object({
  ...content,
  meta: meta.default(incidentOf({})),
  ...destinationsParameters,
  thirdparty_id: field.optionalText(1000).transform(wellFormedIfAny),
  dedup_keys: field.words.optional(),
});

export const CreateAlert = createAlert.meta({
  needsOneOf: DESTINATIONS,
  inExample: ["description", "tag_list"],
});
export type CreateAlert = z.output<typeof CreateAlert>;

export const UpdateAlert = z
  .object({ ...content, meta })
  .partial()
  .meta({ inExample: ["title", "description"] });
export type UpdateAlert = z.output<typeof UpdateAlert>;

export const note = field
  .optionalText(4096)
  .transform((text) => text?.toWellFormed().trim() || null)
  .meta({
    description: "A note for the new recipients.",
    example: "The failover is under way.",
  });

export const HandOffAlert = z
  .object({ ...destinationsParameters, note })
  .meta({ needsOneOf: DESTINATIONS, inExample: ["note"] });
export type HandOffAlert = z.output<typeof HandOffAlert>;

export const SnoozeAlert = z.object({
  until: field.instant.meta({
    description: "When the alert is open again: in the future, at most 30 days ahead.",
  }),
});
export type SnoozeAlert = z.output<typeof SnoozeAlert>;

export const RequestResponders = z
  .object({
    account_user_ids: field.identifiers.optional().meta({ description: "The people to notify." }),
    team_ids: field.identifiers.optional().meta({
      description: "The teams whose escalation policies to run.",
    }),
    note,
  })
  .meta({ needsOneOf: ["account_user_ids", "team_ids"], inExample: ["note"] });
export type RequestResponders = z.output<typeof RequestResponders>;

/** The most alerts that one request merges. */
const MOST_MERGED_ALERTS = 50;

export const MergeAlerts = z
  .object({
    alert_ids: field.identifiers
      .refine((ids) => ids.length > 0, "can't be blank")
      .refine(
        (ids) => ids.length <= MOST_MERGED_ALERTS,
        `is too long (maximum is ${MOST_MERGED_ALERTS} alerts)`,
      )
      .meta({
        description: "The alerts that become part of this one: they are resolved.",
        maxItems: MOST_MERGED_ALERTS,
      }),
  })
  .meta({ needs: ["alert_ids"] });
export type MergeAlerts = z.output<typeof MergeAlerts>;

export const PreviewAlert = createAlert
  .extend({
    at: field.optionalInstant.meta({
      description: "The assumed time of creation; now by default.",
    }),
    ...unsavedRules,
  })
  .meta({
    about: "Alert",
    needsOneOf: [...DESTINATIONS, "router"],
    inExample: ["tag_list", "at"],
  });
export type PreviewAlert = z.output<typeof PreviewAlert>;
