// New Relic: the webhooks of workflows (state, issueUrl) and those of legacy notification channels (current_state).
import { dataOf } from "../additional-data.ts";
import { type Payload, textAt, textOf } from "../payload.ts";
import { type EventKind, kindOf, notForUs, sender } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

const CREATE = ["INCIDENT_OPEN", "open", "CREATED", "ACTIVATED"];
const ACKNOWLEDGE = ["INCIDENT_ACKNOWLEDGED", "acknowledged"];
const RESOLVE = ["INCIDENT_RESOLVED", "closed"];

export const newRelic = sender({
  name: "new_relic",
  title: "New Relic",
  description: "A webhook destination of New Relic's workflows, or a legacy webhook channel.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const { word, kind } = stateOf(fields);
    if (kind === null) return notForUs("state", word);
    return {
      kind,
      thirdpartyId: textAt(fields, "incident_id") ?? textAt(fields, "id"),
      title: textOf(fields.condition_name) ?? titleOf(fields),
      description: textAt(fields, "details"),
      urgency: urgencyOfWord(textAt(fields, "priority") ?? textAt(fields, "severity"), options),
      additionalData: dataOf(fields, "account_name", "incident_url", "issueUrl", "policy_name"),
    };
  },
});

/** The first of the places for a state that says something we know. */
function stateOf(fields: Payload): { word: string | null; kind: EventKind | null } {
  const words = ["event_type", "current_state", "state"].map((name) => textAt(fields, name));
  const said = words.filter((word) => word !== null);
  for (const word of said) {
    const kind = kindOf(word, { create: CREATE, acknowledge: ACKNOWLEDGE, resolve: RESOLVE });
    if (kind !== null) return { word, kind };
  }
  return { word: said[0] ?? null, kind: null };
}

/** A workflow's title may be a list of one for each incident. */
function titleOf(fields: Payload): string | null {
  const { title } = fields;
  return textOf(Array.isArray(title) ? title[0] : title);
}
