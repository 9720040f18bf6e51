// The parameters of a replay of past events.
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";
import { unsavedRules } from "../../routing/routers/unsaved-rules-parameters.ts";

/** The most requests that one replay reads. */
export const MAX_REPLAYED = 500;

export const ReplayRouter = z
  .object({
    router: unsavedRules.router.unwrap().unwrap(),
    limit: field.optionalInteger(1, MAX_REPLAYED).meta({
      description: `The number of requests to read, at most and by default ${MAX_REPLAYED}.`,
    }),
  })
  .meta({ about: "RouterReplay", needs: ["router"], inExample: ["limit"] });
export type ReplayRouter = z.output<typeof ReplayRouter>;
