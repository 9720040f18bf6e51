// What the builder of rules offers: the account's names, the fields of its recent events, and
// templates.
import { eventFields } from "../../domain/routing/builder/event-fields.ts";
import type { ConditionModel, RulesKind, ShownRule } from "../../domain/routing/builder/model.ts";
import type {
  BuilderData,
  EventField,
  Offer,
  RuleTemplate,
} from "../../domain/routing/builder/offers.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { Api } from "../api-client.ts";
import type { NamedRecord, Names } from "../reads.ts";

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

export const namedPeople = ({ people }: Names): readonly NamedRecord[] =>
  people.map(({ id, prefix_id, user }) => ({ id, prefix_id, name: user.name }));

const offersOf = (records: readonly NamedRecord[]): readonly Offer[] =>
  records.map(({ id, prefix_id, name }) => [id, prefix_id, name]);

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

type Ids = {
  /** The first team, person or integration of the account, if there is one. */
  readonly receiver: string | null;
  readonly source: string | null;
  readonly timeZone: string;
};

const urgencyIs = (value: string): ConditionModel => ({
  kind: "field",
  field: "alert.urgency",
  operator: "is",
  value,
});
const ALWAYS: ConditionModel = { kind: "always", value: true };

const rule = (
  conditions: readonly ConditionModel[],
  actions: ShownRule["actions"],
  join: ShownRule["join"] = "all",
): ShownRule => ({ kind: "shown", join, conditions, actions, types: null });

const outsideHours = (timeZone: string): readonly ConditionModel[] => [
  { kind: "day", operator: "one_of", days: [6, 7], timeZone },
  { kind: "time", operator: "outside", start: "08:00", end: "17:59", timeZone },
];

function routerTemplates({ receiver, source, timeZone }: Ids): readonly RuleTemplate[] {
  const low = { type: "setval", map: { urgency: "low" } };
  const toReceiver: readonly RuleTemplate[] = receiver
    ? [
        {
          label: "Critical alerts to a team",
          rules: [rule([urgencyIs("critical")], [{ type: "assign", receiver }])],
        },
        {
          label: "Low urgency waits 30 minutes",
          rules: [rule([urgencyIs("low")], [{ type: "assign", receiver, delay: "30m" }])],
        },
        {
          label: "One alert per title in 10 minutes",
          rules: [
            rule([ALWAYS], [{ type: "aggregate", by: ["alert.title"], timeout: "10m", receiver }]),
          ],
        },
        {
          label: "Nights and weekends: low urgency",
          rules: [rule(outsideHours(timeZone), [low, { type: "assign", receiver }], "any")],
        },
      ]
    : [];
  const fromSource: readonly RuleTemplate[] = source
    ? [
        {
          label: "Ignore test alerts of a source",
          rules: [
            rule(
              [
                { kind: "field", field: "alert.source_id", operator: "is", value: source },
                {
                  kind: "field",
                  field: "alert.title",
                  operator: "contains_any_case",
                  value: "test",
                },
              ],
              [{ type: "ignore" }],
            ),
          ],
        },
      ]
    : [];
  return [...toReceiver, ...fromSource];
}

function notificationTemplates({ timeZone }: Ids): readonly RuleTemplate[] {
  const notify = (channels: readonly string[], timeout?: string) => ({
    type: "notify",
    channels,
    ...(timeout && { timeout }),
  });
  return [
    {
      label: "Push, then SMS, then a call",
      rules: [rule([ALWAYS], [notify(["push"], "2m"), notify(["sms"], "3m"), notify(["voice"])])],
    },
    {
      label: "Push, and a call if no device shows it",
      rules: [
        rule(
          [ALWAYS],
          [
            notify(["push"], "30s"),
            { ...notify(["voice"], "90s"), unless_delivered: true },
            notify(["sms"]),
          ],
        ),
      ],
    },
    {
      label: "Calls for critical alerts only",
      rules: [
        rule([urgencyIs("critical")], [notify(["push", "voice"])]),
        rule([ALWAYS], [notify(["push"], "5m"), notify(["sms"])]),
      ],
    },
    {
      label: "At night, hold low urgency until 07:00",
      rules: [
        rule(
          [
            urgencyIs("low"),
            { kind: "time", operator: "between", start: "22:00", end: "06:59", timeZone },
          ],
          [notify(["push"]), { type: "hold", until: "07:00", timezone: timeZone }],
        ),
      ],
    },
  ];
}

export const ruleTemplates = (kind: RulesKind, ids: Ids): readonly RuleTemplate[] =>
  kind === "router" ? routerTemplates(ids) : notificationTemplates(ids);
