// What the builder of rules offers: the account's names, the fields of its recent events, and
// templates.
import { eventFields } from "../../domain/routing/builder/event-fields.ts";
import type { RulesKind } from "../../domain/routing/builder/model.ts";
import type { BuilderData, EventField, Offer } from "../../domain/routing/builder/offers.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { Api } from "../api-client.ts";
import type { NamedRecord, Names } from "../reads.ts";
import { ruleTemplates } from "./rule-templates.ts";

export type RecentEvents = {
  readonly tags: readonly string[];
  readonly fields: readonly EventField[];
};

const NO_EVENTS: RecentEvents = { tags: [], fields: [] };
const RECENT_REQUESTS = 10;
const RECENT_ALERTS = 50;
const MAX_TAGS = 100;

/** Reads the fields of the last requests and the tags of the last alerts; `isForm`: or nothing. */
export async function readRecentEvents(api: Api, isForm: boolean): Promise<RecentEvents | Refusal> {
  if (!isForm) return NO_EVENTS;
  const [logs, alerts] = await Promise.all([
    api.get("/logs", { owner_type: "Integration", limit: RECENT_REQUESTS }),
    api.get("/alerts", { limit: RECENT_ALERTS }),
  ]);
  if (isRefusal(logs)) return logs;
  if (isRefusal(alerts)) return alerts;
  const tags = new Set(alerts.data.flatMap(({ tag_list }) => tag_list));
  return {
    tags: [...tags].sort().slice(0, MAX_TAGS),
    fields: eventFields(logs.data.map(({ details }) => details.request ?? {})),
  };
}

/** The members as named records. */
export const namedPeople = ({ people }: Names): readonly NamedRecord[] =>
  people.map(({ id, prefix_id, user }) => ({ id, prefix_id, name: user.name }));

const offersOf = (records: readonly NamedRecord[]): readonly Offer[] =>
  records.map(({ id, prefix_id, name }) => [id, prefix_id, name]);

/** The data of the builder of one document. */
export function builderData(
  kind: RulesKind,
  around: {
    readonly names: Names;
    readonly recent: RecentEvents;
    readonly integrations: readonly NamedRecord[];
    readonly routers?: readonly NamedRecord[];
    readonly channels?: readonly string[];
  },
  timeZone: string,
): BuilderData {
  const { names, recent, integrations, routers = [], channels = [] } = around;
  const { teams, people } = names;
  const receiver = teams[0]?.prefix_id ?? people[0]?.prefix_id ?? null;
  const source = integrations[0]?.id ?? null;
  return {
    kind,
    teams: kind === "router" ? offersOf(teams) : [],
    people: kind === "router" ? offersOf(namedPeople(names)) : [],
    routers: offersOf(routers),
    sources: offersOf(integrations),
    ...recent,
    channels,
    templates: ruleTemplates(kind, { receiver, source, timeZone }),
    timeZone,
  };
}
