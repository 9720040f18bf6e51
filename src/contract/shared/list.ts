// The envelope of every list (specification, Pagination).
import * as z from "zod";
import { flag, integer } from "./fields.ts";

export const list = <Item extends z.ZodType>(items: Item) =>
  z.object({
    data: z.array(items).readonly().meta({ description: "The records of this page." }),
    has_more: flag("Whether more follow."),
    total_count: integer("How many there are in all.", 1),
  });

export type List<Item> = {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly total_count: number;
};
