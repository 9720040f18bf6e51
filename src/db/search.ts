// Case-insensitive search as SQL. SQLite's `lower()` changes ASCII letters only, so the statement itself folds the
// other letters that the searched text can match. Nothing is stored for it.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type FoldStep, fold, foldSteps } from "../domain/fold.ts";

/** D1 allows expressions 100 levels deep; a materialized table expression starts at level 0 again. */
const STEPS_PER_SELECT = 40;
/** Bounds the statement: D1 takes 100 KB, and a step is about 25 bytes for each text. */
const MOST_STEPS = 400;

/**
 * The condition that any of these texts contains what is searched for, in any case and any script.
 *
 * @param texts columns or expressions; null contains nothing
 */
export function containsFolded(texts: readonly SQLWrapper[], searched: string): SQL {
  if (texts.length === 0) return sql`0`;
  const folded = fold(searched);
  const steps = foldSteps(folded, MOST_STEPS);
  const hits = texts.map((text) => {
    const inAscii = sql`instr(lower(${text}), ${folded})`;
    if (steps.length === 0) return sql`${inAscii} > 0`;
    // A text of ASCII alone, as most are, needs none of the replacements.
    return sql`iif(octet_length(${text}) = length(${text}), ${inAscii},
      instr(${replaced(sql`lower(${text})`, steps)}, ${folded})) > 0`;
  });
  return sql`(${sql.join(hits, sql` or `)})`;
}

function replaced(text: SQL, steps: readonly FoldStep[]): SQL {
  const [first = [], ...more] = chunksOf(steps, STEPS_PER_SELECT);
  const start = nested(text, first);
  if (more.length === 0) return start;
  const stages = more.map((some, i) => {
    const before = sql.raw(`stage_${i}`);
    return sql`${sql.raw(`stage_${i + 1}`)} as materialized
      (select ${nested(sql.raw("text"), some)} as text from ${before})`;
  });
  const all = [sql`stage_0 as materialized (select ${start} as text)`, ...stages];
  return sql`(with ${sql.join(all, sql`, `)} select text from ${sql.raw(`stage_${more.length}`)})`;
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

const nested = (text: SQL, steps: readonly FoldStep[]): SQL =>
  steps.reduce(
    (inner, [from, to]) => sql`replace(${inner}, ${literal(from)}, ${literal(to)})`,
    text,
  );

/** A literal in place of a parameter, of which a statement may have 100. These are letters from our own table. */
const literal = (letters: string): SQL => sql.raw(`'${letters.replaceAll("'", "''")}'`);
