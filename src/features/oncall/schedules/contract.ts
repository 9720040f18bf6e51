// An on-call schedule. Its shifts come from its events.
import * as z from "zod";
import { common, text } from "../../../kernel/contract/fields.ts";

export const Schedule = z.object({
  ...common("schedule"),
  name: text("The name.", "Payments Schedule"),
});
export type Schedule = z.output<typeof Schedule>;
