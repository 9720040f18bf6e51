// The type of the API as a page calls it (`api.ts` implements it).

import type { Refusal } from "../domain/shared/refusal.ts";
import type { OnCallPreview } from "../features/oncall/on-call/contract.ts";
import type { ConfigurationImport } from "../features/operations/configuration/contract.ts";
import type { List } from "../kernel/contract/list.ts";
import type { Operations } from "../routes.ts";

/** A list of values is alternatives. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;
export type Body = Readonly<Record<string, unknown>>;

export type Method = keyof Operations;
type PathOf<Of extends Method> = keyof Operations[Of] & string;

type AnswerTo<Of extends Method, Path extends PathOf<Of>> = Operations[Of][Path];

type ListPath = {
  [Path in PathOf<"GET">]: Operations["GET"][Path] extends List<unknown> ? Path : never;
}[PathOf<"GET">];

type ItemOf<Path extends ListPath> = AnswerTo<"GET", Path> extends List<infer Item> ? Item : never;

/** The names of a path's parameters, such as `id` in `/alerts/:id`. */
type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The arguments of a call: path parameters together with the query or the body. */
type Given<Path extends string, Beside> = [ParametersOf<Path>] extends [never]
  ? readonly [beside?: Beside]
  : readonly [given: Beside & Readonly<Record<ParametersOf<Path>, string>>];

/** The paths of which a record's id is all that a call needs. */
export type IdPath<Of extends Method> = {
  [Path in PathOf<Of>]: ParametersOf<Path> extends "id" ? Path : never;
}[PathOf<Of>];

/** The paths whose records are listed, read, created, updated and deleted. */
type RecordPath = {
  [Path in ListPath & PathOf<"POST">]: `${Path}/:id` extends PathOf<"PUT"> & PathOf<"DELETE">
    ? Path
    : never;
}[ListPath & PathOf<"POST">];

/** What a preview of the path's change answers. */
type PreviewOf<Path extends string> = Path extends "/configuration"
  ? ConfigurationImport
  : OnCallPreview;

/** The operations of a path whose records are listed, read, created, updated and deleted. */
export type RecordCalls<Kind> = {
  readonly list: () => Promise<readonly Kind[] | Refusal>;
  readonly read: (id: string) => Promise<Kind | Refusal>;
  readonly create: (body: Body) => Promise<Kind | Refusal>;
  readonly update: (id: string, body: Body) => Promise<Kind | Refusal>;
  readonly remove: (id: string) => Promise<null | Refusal>;
};

/**
 * Each call resolves to the response body or to the refusal. Paths are relative to `/api/v4`, as in
 * the contract: `api.get("/alerts/:id", { id })`.
 */
export type Api = {
  readonly get: <Path extends PathOf<"GET">>(
    path: Path,
    ...given: Given<Path, Query>
  ) => Promise<AnswerTo<"GET", Path> | Refusal>;
  /** All records of a list as one page; the newest 2,000 if there are more. */
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
  /** What a change of on-call events, or an import, would do, without doing it. */
  readonly preview: <Path extends PathOf<"POST"> | PathOf<"PUT"> | PathOf<"DELETE">>(
    method: "POST" | "PUT" | "DELETE",
    path: Path,
    ...given: Given<Path, Body>
  ) => Promise<PreviewOf<Path> | Refusal>;
  readonly records: <Path extends RecordPath>(path: Path) => RecordCalls<ItemOf<Path>>;
  /** The same, for changes of events that are to change who was on call before them, too. */
  readonly correcting: Omit<Api, "correcting">;
};
