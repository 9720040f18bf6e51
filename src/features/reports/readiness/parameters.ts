// The parameters of an account's readiness.
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

export const UpdateReadiness = z
  .object({ weekly_digest: field.optionalFlag, integrations_by_id: field.optionalFlag })
  .meta({ about: "Readiness" });
export type UpdateReadiness = z.output<typeof UpdateReadiness>;
