// What can be picked from, by name: each source is one list of the API or several.

/** A list of the API whose records have names. */
type NamedList =
  | "/account_users"
  | "/teams"
  | "/schedules"
  | "/escalation_policies"
  | "/integrations"
  | "/routers"
  | "/notification_rules";

export type SourcePart = {
  readonly list: NamedList;
  /** What precedes the id in a value: `team 01K…`. */
  readonly kind?: string;
  /** What precedes the name in a label. */
  readonly word?: string;
};

const SOURCES = {
  people: [{ list: "/account_users" }],
  teams: [{ list: "/teams" }],
  schedules: [{ list: "/schedules" }],
  policies: [{ list: "/escalation_policies" }],
  integrations: [{ list: "/integrations" }],
  routers: [{ list: "/routers" }],
  rules: [{ list: "/notification_rules" }],
  destinations: [
    { list: "/account_users", kind: "person" },
    { list: "/teams", kind: "team", word: "Team" },
  ],
  receivers: [
    { list: "/teams", kind: "team", word: "Team" },
    { list: "/account_users", kind: "account_user" },
    { list: "/routers", kind: "router", word: "Router" },
  ],
} as const satisfies Readonly<Record<string, readonly SourcePart[]>>;

/**
 * `regions`: those with public holidays, which are no records. `alerts`: those that are not resolved,
 * by what their search finds.
 */
export type ChoiceSource = keyof typeof SOURCES | "regions" | "alerts";

/** The lists of a source; null if there is none of the name. */
export const partsOf = (name: string): readonly SourcePart[] | null =>
  Object.hasOwn(SOURCES, name) ? SOURCES[name as keyof typeof SOURCES] : null;

/**
 * The path at which a script finds choices of a source.
 *
 * @param except the id of a record that is not offered
 */
export const choicesPath = (source: ChoiceSource, except?: string): string =>
  `/choices?from=${source}${except ? `&except=${encodeURIComponent(except)}` : ""}`;
