// The parameters of a fire drill.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreateDrill = z
  .object({
    title: field.optionalText(200),
    urgency: field.optionalChoice(ALERT_URGENCIES),
  })
  .meta({
    about: "Alert",
    inExample: ["title"],
  });
export type CreateDrill = z.output<typeof CreateDrill>;
