// Case-insensitive search in SQL. SQLite's `lower()` folds only ASCII, so the statement itself
// folds the other letters that can match. Needs no stored column.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type FoldStep, fold, foldSteps } from "../../domain/shared/case-folding.ts";

/** D1 allows 100 levels of nesting; a materialized table expression starts again at 0. */
const STEPS_PER_SELECT = 40;
/** Bounds the statement: D1 allows 100 KB, and a step takes about 25 bytes per text. */
const MAX_STEPS = 400;

/**
 * The condition that any of the texts contains the searched one, in any case and script.
 *
 * @param texts columns or expressions; null contains nothing
 */
export function containsFolded(texts: readonly SQLWrapper[], searched: string): SQL {
  if (texts.length === 0) return sql`0`;
  const folded = fold(searched);
  const steps = foldSteps(folded, MAX_STEPS);
  const hits = texts.map((text) => {
    const inAscii = sql`instr(lower(${text}), ${folded})`;
    if (steps.length === 0) return sql`${inAscii} > 0`;
    // ASCII texts, which most are, need no replacements.
    return sql`iif(octet_length(${text}) = length(${text}), ${inAscii},
      instr(${replaceSteps(sql`lower(${text})`, steps)}, ${folded})) > 0`;
  });
  return sql`(${sql.join(hits, sql` or `)})`;
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
