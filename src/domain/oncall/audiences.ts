// Who of a team is notified when nobody answered an alert, when a shift begins, and of gaps
// (contract 2, Teams).
export const NOTIFICATION_AUDIENCES = [
  "none",
  "team_all",
  "team_admins",
  "oncall_rotation",
  "specific_users",
] as const;

/** How a person belongs to a team; the last three are the recipients that `specific_users` names. */
export const TEAM_RELATIONS = ["member", "admin", "drop", "handoff", "gap"] as const;
export type TeamRelation = (typeof TEAM_RELATIONS)[number];

/** A person of a team, in one of its relations. */
export type TeamPerson = { readonly relation: TeamRelation; readonly id: string };

/** The account users in one of these relations, once each. */
export const idsIn = (
  people: readonly TeamPerson[],
  relations: readonly TeamRelation[],
): string[] => [
  ...new Set(people.filter((it) => relations.includes(it.relation)).map((it) => it.id)),
];

/**
 * The account users whom one of a team's notification settings names.
 *
 * @param named the relation of the people whom `specific_users` names
 */
export function audienceOf(
  setting: string,
  named: "drop" | "handoff" | "gap",
  people: readonly TeamPerson[],
  onCall: Readonly<Record<number, readonly { readonly accountUserId: string }[]>>,
): string[] {
  switch (setting) {
    case "team_all":
      return idsIn(people, ["member", "admin"]);
    case "team_admins":
      return idsIn(people, ["admin"]);
    case "oncall_rotation":
      return [
        ...new Set(Object.values(onCall).flatMap((it) => it.map((one) => one.accountUserId))),
      ];
    case "specific_users":
      return idsIn(people, [named]);
    default:
      return [];
  }
}
