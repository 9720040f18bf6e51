// The parameters of a replay of an integration's past alerts.
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";
import { MAX_PAUSE_MINUTES } from "../../../products/common-options.ts";

const minutes = (description: string) =>
  field.optionalInteger(0, MAX_PAUSE_MINUTES).meta({ description, example: 5 });

export const ReplayIntegration = z
  .object({
    option_pause_for: minutes("The option as it would be, in minutes; off by default."),
    option_reopen_within: minutes("The option as it would be, in minutes; off by default."),
  })
  .meta({
    about: "IntegrationReplay",
    inExample: ["option_pause_for", "option_reopen_within"],
  });
export type ReplayIntegration = z.output<typeof ReplayIntegration>;
