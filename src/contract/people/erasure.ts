// What a removal of a member may be told.
import * as z from "zod";
import { flag } from "../shared/fields.ts";

export const EraseQuery = z.object({
  erase: flag("`true` erases what the account stored of the person at once.", false).optional(),
});
