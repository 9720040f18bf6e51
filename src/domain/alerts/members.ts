// The members of an alert: what fires of the things that it is about, where its sender names them
// (contract 3, Attributes). Pure.
import type { Alert, Members } from "./alert.ts";
import type { ReportedMembers } from "./commands.ts";

/** Limit on the members of an alert: those that were not reported lately are forgotten. */
export const MAX_MEMBERS = 500;

const namesIn = (members: Members) => members.flatMap(({ names }) => names);

/** All members that fire. */
export const memberNames = ({ members = [] }: Pick<Alert, "members">): readonly string[] =>
  namesIn(members);

/** The members of an alert that an event reports for the first time. */
export const firstMembers = ({ names, from = "" }: ReportedMembers): Members => [
  { from, names: names.slice(0, MAX_MEMBERS) },
];

/** The members after an event, with those that have ended and those that are new. */
export type MembersChange = {
  readonly members: Members;
  readonly gone: readonly string[];
  readonly added: readonly string[];
};

/**
 * Applies an event to the members. What an instance leaves out has ended, unless another one reported
 * it: the instances may be replicas, or two senders with the same `Id`.
 */
export function mergeMembers(before: Members, reported: ReportedMembers): MembersChange {
  const { names: all, ended = [], from = "", isPartial } = reported;
  const names = all.slice(0, MAX_MEMBERS);
  const [known, fires] = [new Set(namesIn(before)), new Set(names)];
  const own = before.find((it) => it.from === from)?.names ?? [];
  const over = new Set(isPartial ? ended : [...ended, ...own]);
  const remains = (name: string) => !over.has(name) && !fires.has(name);
  const current = [...own.filter(remains), ...names].slice(-MAX_MEMBERS);
  let room = MAX_MEMBERS - current.length;
  const others = before
    .filter((it) => it.from !== from)
    .map((it) => {
      const fitting = it.names.filter(remains).slice(0, room);
      room -= fitting.length;
      return { from: it.from, names: fitting };
    });
  return {
    members: withoutEmpty([...others, { from, names: current }]),
    gone: [...known].filter((name) => over.has(name) && !fires.has(name)),
    added: [...fires].filter((name) => !known.has(name)),
  };
}

/** Ends members. */
export function endMembers(before: Members, ended: readonly string[]): MembersChange {
  const over = new Set(ended);
  const rest = before.map(({ from, names }) => ({
    from,
    names: names.filter((name) => !over.has(name)),
  }));
  const gone = namesIn(before).filter((name) => over.has(name));
  return { members: withoutEmpty(rest), gone, added: [] };
}

const withoutEmpty = (members: Members): Members => members.filter(({ names }) => names.length > 0);
