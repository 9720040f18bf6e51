// The set-ups of all types as one JSON file of the static assets, which the worker reads by the
// binding.
import { setUps } from "./all-set-ups.ts";
import * as types from "./all-types.ts";
import type { SetUp, StoredSetUp, StoredSetUps } from "./set-up.ts";

function store(setUp: SetUp): StoredSetUp {
  const { steps, snippets } = setUp;
  if (setUp.kind === "outgoing") return { steps, snippets };
  const { sample, standby: step, standbySnippets } = setUp;
  const standby = { step, ...(standbySnippets && { snippets: standbySnippets }) };
  return { steps, snippets, standby, ...(sample && { sample }) };
}

/** The set-ups by the type's name. */
export const storedSetUps: StoredSetUps = Object.fromEntries(
  Object.entries(types).map(([key, type]) => [type.name, store(setUps[key as keyof typeof types])]),
);

/** The content of the file. */
export const setUpsText = (): string => JSON.stringify(storedSetUps);
