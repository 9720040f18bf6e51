// The query parameter of the removal of a member.
import * as z from "zod";
import { flag } from "../../../kernel/contract/fields.ts";

export const EraseQuery = z.object({
  erase: flag(
    "`true` immediately erases the data that the account stored about the person.",
    false,
  ).optional(),
});
