// New Relic: webhooks of workflows (state, issueUrl) and of legacy notification channels
// (current_state).
import { dataOf, datum } from "../reading/additional-data.ts";
import { listAt, type Payload, textAt, textOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, joinParagraphs, kindOf, readState } from "../sender-type.ts";

/** Limit on named entities or conditions. */
const MAX_NAMES = 20;

const WORDS = {
  create: ["INCIDENT_OPEN", "open", "CREATED", "ACTIVATED"],
  acknowledge: ["INCIDENT_ACKNOWLEDGED", "acknowledged"],
  resolve: ["INCIDENT_RESOLVED", "closed"],
  ignore: ["DEACTIVATED", "DEPLOYMENT", "DOWNTIME"],
  others: "create",
} as const;

export const newRelic = createSenderType({
  name: "new_relic",
  title: "New Relic",
  description: "A webhook destination of New Relic's workflows, or a legacy webhook channel.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const kind = kindIn(fields);
    if (typeof kind !== "string") return kind;
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

/** The kind by the first state field with a known value. */
function kindIn(fields: Payload) {
  const words = ["event_type", "current_state", "state"].map((name) => textAt(fields, name));
  const states = words.filter((word) => word !== null);
  const known = states.find((word) => kindOf(word, WORDS) !== null);
  return readState("state", known ?? states.at(-1) ?? null, WORDS);
}

/** A workflow's title can be a list with one title per incident. */
function titleOf(fields: Payload): string | null {
  const { title } = fields;
  return textOf(Array.isArray(title) ? title[0] : title);
}
