// Search in SQL without regard to case and accents. SQLite's `lower()` folds only ASCII, so the
// statement itself folds the other letters that can match. Needs no stored column.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type FoldStep, foldSteps } from "../../domain/shared/case-folding.ts";
import { searchTerms } from "../../domain/shared/search-terms.ts";

/** D1 allows 100 levels of nesting; a materialized table expression starts again at 0. */
const STEPS_PER_SELECT = 40;
/** Bounds the statement: D1 allows 100 KB, and a step takes about 25 bytes. */
const MAX_STEPS = 600;

/**
 * The condition that the texts together contain each term of a search (`searchTerms`), whatever its
 * case, accents and script.
 *
 * @param texts columns or expressions; null contains nothing
 */
export function containsFolded(texts: readonly SQLWrapper[], searched: string): SQL {
  const terms = searchTerms(searched);
  if (texts.length === 0) return sql`0`;
  if (terms.length === 0) return sql`1`;
  const steps = foldSteps(terms.join(""), MAX_STEPS);
  const lower = sql`lower(searched)`;
  // ASCII texts, which most are, need no replacements.
  const folded = sql`iif(octet_length(searched) = length(searched), ${lower}, ${replaceSteps(lower, steps)})`;
  const hits = terms.map((term) => sql`instr(folded, ${term}) > 0`);
  return sql`(with
    given as materialized (select concat_ws(char(10), ${sql.join([...texts], sql`, `)}) as searched),
    whole as materialized (select ${folded} as folded from given)
    select ${sql.join(hits, sql` and `)} from whole)`;
}

function replaceSteps(text: SQL, steps: readonly FoldStep[]): SQL {
  const [first = [], ...more] = splitChunks(steps, STEPS_PER_SELECT);
  const start = nestReplacements(text, first);
  if (more.length === 0) return start;
  const stages = more.map((some, i) => {
    const before = sql.raw(`stage_${i}`);
    return sql`${sql.raw(`stage_${i + 1}`)} as materialized
      (select ${nestReplacements(sql.raw("text"), some)} as text from ${before})`;
  });
  const all = [sql`stage_0 as materialized (select ${start} as text)`, ...stages];
  return sql`(with ${sql.join(all, sql`, `)} select text from ${sql.raw(`stage_${more.length}`)})`;
}

function splitChunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

const nestReplacements = (text: SQL, steps: readonly FoldStep[]): SQL =>
  steps.reduce(
    (inner, [from, to]) => sql`replace(${inner}, ${literal(from)}, ${literal(to)})`,
    text,
  );

/** A literal, since a statement may have only 100 parameters. Our own table has the letters. */
const literal = (letters: string): SQL => sql.raw(`'${letters.replaceAll("'", "''")}'`);
