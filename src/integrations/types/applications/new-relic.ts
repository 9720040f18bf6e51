// New Relic: webhooks of workflows (state, issueUrl) and of legacy notification channels
// (current_state).
import { dataOf, datum } from "../../reading/additional-data.ts";
import { listAt, type Payload, textAt, textOf } from "../../reading/payload.ts";
import { urgencyOfWord } from "../../reading/severity.ts";
import {
  createSenderType,
  type EventKind,
  ignoreState,
  joinParagraphs,
  kindOf,
} from "../../sender-type.ts";

/** Limit on named entities or conditions. */
const MAX_NAMES = 20;

const CREATE = ["INCIDENT_OPEN", "open", "CREATED", "ACTIVATED"];
const ACKNOWLEDGE = ["INCIDENT_ACKNOWLEDGED", "acknowledged"];
const RESOLVE = ["INCIDENT_RESOLVED", "closed"];

export const newRelic = createSenderType({
  name: "new_relic",
  title: "New Relic",
  description: "A webhook destination of New Relic's workflows, or a legacy webhook channel.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const { word, kind } = stateOf(fields);
    if (kind === null) return ignoreState("state", word);
    const [condition, named] = [conditionOf(fields), entitiesOf(fields)];
    const entities = named.slice(0, MAX_NAMES).join(", ") || null;
    return {
      kind,
      // An issue ends as a whole.
      members: { names: kind === "create" ? named : [], isPartial: true },
      thirdpartyId: textAt(fields, "incident_id") ?? textAt(fields, "id"),
      title: textOf(fields.condition_name) ?? titleOf(fields),
      description: joinParagraphs(
        textAt(fields, "details"),
        condition && `Condition: ${condition}`,
        entities && `Entities: ${entities}`,
      ),
      urgency: urgencyOfWord(textAt(fields, "priority") ?? textAt(fields, "severity"), options),
      additionalData: [
        ...dataOf(fields, "incident_url", "issueUrl", "account_name"),
        ...datum("condition", condition),
        ...datum("entities", entities),
        ...datum(
          "policy_name",
          textAt(fields, "policy_name") ?? joined(fields, "alertPolicyNames"),
        ),
      ],
    };
  },
});

const joined = (fields: Payload, name: string): string | null =>
  listAt(fields, name)
    .slice(0, MAX_NAMES)
    .flatMap((one) => textOf(one) ?? [])
    .join(", ") || null;

const conditionOf = (fields: Payload): string | null =>
  textAt(fields, "condition_name") ?? joined(fields, "alertConditionNames");

/** The affected entities: names in a workflow's payload, targets in a legacy one. */
function entitiesOf(fields: Payload): readonly string[] {
  const names = listAt(fields, "impactedEntities").flatMap((one) => textOf(one) ?? []);
  if (names.length > 0) return names;
  return listAt(fields, "targets").flatMap((target) => textAt(target, "name") ?? []);
}

/** The first state field with a known value. */
function stateOf(fields: Payload): { word: string | null; kind: EventKind | null } {
  const words = ["event_type", "current_state", "state"].map((name) => textAt(fields, name));
  const states = words.filter((word) => word !== null);
  for (const word of states) {
    const kind = kindOf(word, { create: CREATE, acknowledge: ACKNOWLEDGE, resolve: RESOLVE });
    if (kind !== null) return { word, kind };
  }
  return { word: states[0] ?? null, kind: null };
}

/** A workflow's title can be a list with one title per incident. */
function titleOf(fields: Payload): string | null {
  const { title } = fields;
  return textOf(Array.isArray(title) ? title[0] : title);
}
