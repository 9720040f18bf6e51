// The envelope of every list (contract 1, Lists).
import * as z from "zod";
import { flag, integer } from "./fields.ts";

export const list = <Item extends z.ZodType>(items: Item) =>
  z.object({
    data: z.array(items).readonly().meta({ description: "The records of this page." }),
    has_more: flag("Whether there are more records."),
    total_count: integer("The total number of records.", 1),
  });

export type List<Item> = {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly total_count: number;
};
