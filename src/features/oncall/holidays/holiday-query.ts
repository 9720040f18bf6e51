// The query for the public holidays of a region.
import * as z from "zod";
import { date, text } from "../../../kernel/contract/fields.ts";

export const HolidaysQuery = z.object({
  region: text("A code that `GET /holidays/regions` lists.", "DE-BY"),
  from: date("The first date, `YYYY-MM-DD`.", "2026-01-01"),
  to: date("The last date, inclusive.", "2026-12-31"),
});
