// The API as a page calls it (`api.ts` implements it).
import type { AnswerTo, ItemOf, ListPath, ParametersOf, PathOf } from "../contract/operations.ts";
import type { Refusal } from "../domain/shared/refusal.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export type Body = Readonly<Record<string, unknown>>;

/** What goes with a call: the parameters of its path, and beside them its query or its body. */
export type Given<Path extends string, Beside> = [ParametersOf<Path>] extends [never]
  ? readonly [beside?: Beside]
  : readonly [given: Beside & Readonly<Record<ParametersOf<Path>, string>>];

/**
 * Each answers with the body that HTTP would have, or with the refusal. Paths are below `/api/v4`, as the contract
 * writes them: `api.get("/alerts/:id", { id })`.
 */
export type Api = {
  readonly get: <Path extends PathOf<"GET">>(
    path: Path,
    ...given: Given<Path, Query>
  ) => Promise<AnswerTo<"GET", Path> | Refusal>;
  /** Every record of a list in one page; of more than 2,000 the newest. */
  readonly every: <Path extends ListPath>(
    path: Path,
    ...given: Given<Path, Query>
  ) => Promise<readonly ItemOf<Path>[] | Refusal>;
  readonly post: <Path extends PathOf<"POST">>(
    path: Path,
    ...given: Given<Path, Body>
  ) => Promise<AnswerTo<"POST", Path> | Refusal>;
  readonly put: <Path extends PathOf<"PUT">>(
    path: Path,
    ...given: Given<Path, Body>
  ) => Promise<AnswerTo<"PUT", Path> | Refusal>;
  readonly delete: <Path extends PathOf<"DELETE">>(
    path: Path,
    ...given: Given<Path, Query>
  ) => Promise<null | Refusal>;
};
