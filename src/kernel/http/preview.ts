// Reads the query parameters `preview` and `corrects_past`. A request that seems to ask for a preview never changes
// anything: if there is none, or the value is unreadable, it is refused.
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { asksForPreview, type Route } from "./route.ts";

const UNREADABLE = refuse("invalid", "preview must be true or false", "preview");
const NO_PREVIEW = refuse("invalid", "this request has no preview", "preview");

/** Whether the request asks the route for what its change would do to who is on call; or a 422. */
export function readPreview(
  { method, previews = false, query }: Pick<Route, "method" | "previews" | "query">,
  parameters: URLSearchParams,
): boolean | Refusal {
  const text = parameters.get("preview");
  if (method === "GET" || text === null || text === "false" || text === "0") return false;
  if (!asksForPreview(parameters)) return UNREADABLE;
  // A route with a query of its own reads it itself.
  return previews || query !== undefined ? previews : NO_PREVIEW;
}

const UNREADABLE_CORRECTION = refuse(
  "invalid",
  "corrects_past must be true or false",
  "corrects_past",
);
const NO_CORRECTION = refuse("invalid", "this request cannot change the past", "corrects_past");

/** Whether the request is to change who was on call before it, too; or a 422. */
export function readCorrection(
  { correctsPast = false }: Pick<Route, "correctsPast">,
  parameters: URLSearchParams,
): boolean | Refusal {
  const text = parameters.get("corrects_past");
  if (text === null || text === "false" || text === "0") return false;
  if (text !== "true" && text !== "1") return UNREADABLE_CORRECTION;
  return correctsPast || NO_CORRECTION;
}
