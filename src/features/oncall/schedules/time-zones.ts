// The valid values of `time_zone`.
import * as z from "zod";
import { list } from "../../../kernel/contract/list.ts";

export const TimeZoneList = list(z.string());
export type TimeZoneList = z.output<typeof TimeZoneList>;
