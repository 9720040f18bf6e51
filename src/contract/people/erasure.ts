// What a removal of a member may be told.
import * as z from "zod";
import { flag } from "../shared/fields.ts";

export const EraseQuery = z.object({
  erase: flag(
    "`true` immediately erases the data that the account stored about the person.",
    false,
  ).optional(),
});
