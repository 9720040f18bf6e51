// Filters by `created_at` of records whose ids carry that instant, as ranges of ids: the primary key
// finds them, and no index of `created_at` is needed.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { parseUtc } from "../../domain/shared/parse-time.ts";
import { firstIdentifierAt } from "../../domain/shared/retention.ts";
import type { Filter } from "./list-query.ts";

/** The last instant that an id can carry (epoch ms). */
const LAST_INSTANT = 2 ** 48 - 1;

/** Instants from `from` to `to`, both included (epoch ms). */
type Span = { readonly from: number; readonly to: number };

/** The instants that a filter value may match; null if unknown. */
function spanOf(operation: Filter["operation"], text: string): Span | null {
  const [first = "", last = ""] = operation === "between" ? text.split("..") : [text, text];
  const [from, to] = [parseUtc(first), parseUtc(last)];
  if (from === null || to === null) return null;
  switch (operation) {
    case "equals":
    case "between":
      return { from, to };
    case "lt":
    case "lte":
      return { from: 0, to };
    case "gt":
    case "gte":
      return { from, to: LAST_INSTANT };
    default:
      return null;
  }
}

const clamp = (at: number) => Math.min(Math.max(at, 0), LAST_INSTANT);

/** The conditions on `id` that follow from the filters by `created_at`. */
export function idConditions(id: SQLWrapper, filters: readonly Filter[]): SQL[] {
  return filters.flatMap(({ attribute, operation, values }) => {
    if (attribute !== "created_at") return [];
    const spans = values.map((text) => spanOf(operation, text));
    const known = spans.filter((span) => span !== null);
    if (known.length < spans.length || known.length === 0) return [];
    const from = clamp(Math.min(...known.map((span) => span.from)));
    const to = clamp(Math.max(...known.map((span) => span.to)));
    return [sql`${id} >= ${firstIdentifierAt(from)} and ${id} < ${firstIdentifierAt(to + 1)}`];
  });
}
