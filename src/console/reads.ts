// What pages read: several answers of the API together, and the names of records by id.

import { isRefusal, type Refusal } from "../domain/shared/refusal.ts";
import type { Team } from "../features/oncall/teams/contract.ts";
import type { AccountUser } from "../features/people/account-users/contract.ts";
import type { Api } from "./api-client.ts";
import type { Visit } from "./page.ts";

type Settled<Answers extends readonly unknown[]> = {
  -readonly [At in keyof Answers]: Exclude<Awaited<Answers[At]>, Refusal>;
};

/** Awaits concurrent calls: all their bodies, or the first refusal. */
export async function allOf<const Answers extends readonly unknown[]>(
  ...calls: Answers
): Promise<Settled<Answers> | Refusal> {
  const answers = await Promise.all(calls);
  return answers.find(isRefusal) ?? (answers as Settled<Answers>);
}

type SettledByName<Calls> = {
  readonly [Name in keyof Calls]: Exclude<Awaited<Calls[Name]>, Refusal>;
};

/** Like `allOf`, by name. */
export async function allByName<Calls extends Readonly<Record<string, unknown>>>(
  calls: Calls,
): Promise<SettledByName<Calls> | Refusal> {
  const answers = await allOf(...Object.values(calls));
  if (isRefusal(answers)) return answers;
  const names = Object.keys(calls);
  return Object.fromEntries(names.map((name, at) => [name, answers[at]])) as SettledByName<Calls>;
}

/** What a function reads, if it is not refused. */
export type ReadBy<Read extends (...given: never[]) => Promise<unknown>> = Exclude<
  Awaited<ReturnType<Read>>,
  Refusal
>;

export type Names = {
  /** Sorted by name. */
  readonly teams: readonly Team[];
  readonly people: readonly AccountUser[];
  /** The name of a team, a member or another record that was read; "deleted" for an unknown id. */
  readonly of: (id: string | null | undefined) => string;
  /** The colours of those who do not have their own on the page, and of whom they are told apart. */
  readonly colours?: ReadonlyMap<string, number>;
};

/** What a part of a page is drawn from, besides its own: the names. */
export type WithNames<Own = unknown> = Readonly<Own> & { readonly names: Names };

/** The visit that it is drawn for. */
export type WithVisit<Own = unknown> = Readonly<Own> & { readonly visit: Visit };

/** Both. */
export type PageProps<Own = unknown> = WithNames<Own> & { readonly visit: Visit };

export type NamedRecord = {
  readonly id: string;
  readonly prefix_id: string;
  readonly name: string;
};

const GONE = "deleted";

/** The name by both forms of the identifier. */
export const namings = ({ id, prefix_id, name }: NamedRecord) =>
  [
    [id, name],
    [prefix_id, name],
  ] as const;

/**
 * Replaces the ids of records in a text with their names; a router's name is there already. What only looks like an id,
 * in a sender's text, stays.
 */
export const withNames = (text: string, nameOf: (id: string) => string): string =>
  text
    .replace(/ \(rtr_[\w-]{14}\)/g, "")
    .replace(/\b(?:(?:acu|int|rtr|tem)_[\w-]{14}|[0-9A-HJKMNP-TV-Z]{26})(?![\w-])/g, (id) => {
      const name = nameOf(id);
      return name === GONE && !id.includes("_") ? id : name;
    });

/** Other lists whose records have names. */
type NamedPath = "/integrations" | "/routers";

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
    ...people.flatMap(({ id, prefix_id, user }) => namings({ id, prefix_id, name: user.name })),
    ...[teams, ...lists].flatMap((list) => (isRefusal(list) ? [] : list.flatMap(namings))),
  ]);
  return {
    teams: teams.toSorted((a, b) => byName(a.name, b.name)),
    people: people.toSorted((a, b) => byName(a.user.name, b.user.name)),
    of: (id) => (id ? (names.get(id) ?? GONE) : ""),
  };
}
