// The parameters of a schedule (contract 2, Schedules).
import * as z from "zod";
import { hash, requiredText } from "../../../kernel/contract/parameters.ts";

export const CreateSchedule = z.object({ name: requiredText(255), meta: hash.optional() });
export type CreateSchedule = z.output<typeof CreateSchedule>;

export const UpdateSchedule = CreateSchedule.partial().meta({ inExample: ["name"] });
export type UpdateSchedule = z.output<typeof UpdateSchedule>;
