// The names of teams, members and other records by id.

import { isRefusal, type Refusal } from "../domain/shared/refusal.ts";
import type { Team } from "../features/oncall/teams/contract.ts";
import type { AccountUser } from "../features/people/account-users/contract.ts";
import { allOf } from "./api.ts";
import type { Api } from "./api-client.ts";

export type Names = {
  /** Sorted by name. */
  readonly teams: readonly Team[];
  readonly people: readonly AccountUser[];
  /** The name of a team, a member or another record that was read; "deleted" for an unknown id. */
  readonly of: (id: string | null | undefined) => string;
  /** The colours of those who do not have their own on the page, and of whom they are told apart. */
  readonly colours?: ReadonlyMap<string, number>;
};

/** A record by its ids and its name. */
export type NamedRecord = {
  readonly id: string;
  readonly prefix_id: string;
  readonly name: string;
};

/** Other lists whose records have names. */
type NamedPath = "/integrations" | "/routers";

const GONE = "deleted";

/** Reads the account's teams and members, and the lists in `others`. */
export async function readNames(
  api: Api,
  others: readonly NamedPath[] = [],
): Promise<Names | Refusal> {
  const read = await allOf(
    api.every("/teams"),
    api.every("/account_users"),
    Promise.all(others.map((path) => api.every(path))),
  );
  if (isRefusal(read)) return read;
  const [teams, people, lists] = read;
  const byName = new Intl.Collator("en", { numeric: true }).compare;
  const names = new Map<string, string>([
    ...people.map((person) => [person.id, person.user.name] as const),
    ...teams.map((team) => [team.id, team.name] as const),
    ...lists.flatMap((list) =>
      isRefusal(list) ? [] : list.map((record) => [record.id, record.name] as const),
    ),
  ]);
  return {
    teams: teams.toSorted((a, b) => byName(a.name, b.name)),
    people: people.toSorted((a, b) => byName(a.user.name, b.user.name)),
    of: (id) => (id ? (names.get(id) ?? GONE) : ""),
  };
}
