// Opsgenie's Alert API: requests to /v2/alerts with the intake key as GenieKey, for senders that
// support no other format. The path names the alert and the action.

import {
  type AlertReference,
  referenceIn,
} from "../../domain/integrations/opsgenie-identifiers.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { boundIdentifier, boundText, MAX_DESCRIPTION, MAX_TITLE } from "../reading/bounds.ts";
import { decodePercent } from "../reading/decode-text.ts";
import { type Payload, payloadAt, textAt, textOf, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, missingField, type ReadContext, type Reading } from "../sender-type.ts";

/** The API's actions on an alert. Only those of the first line have an effect. */
const ACTIONS =
  "acknowledge|unacknowledge|close|notes|message|description|priority|" +
  "snooze|escalate|assign|teams|tags|details|actions|responders";
/** An alias can contain slashes, which not every client escapes. */
const PATH = new RegExp(`/v2/alerts(?:/(.+?))?(?:/(${ACTIONS})(?:/[^/]*)?)?/?$`);

export const opsgenie = createSenderType({
  name: "opsgenie",
  title: "Opsgenie Alert API",
  description:
    "Any tool that supports Opsgenie's Alert API: create, update, acknowledge, close, note.",
  // Clients of Opsgenie's API: 429 and 5xx, by its documentation and its SDKs.
  repeats: [429, "5xx"],
  says: ["acknowledge", "resolve"],
  read,
});

/** Parses a path: the alert's identifier and the action. */
export function parseAlertPath(url: string): {
  readonly identifier: string | null;
  readonly action: string | null;
} {
  const [path = ""] = url.split("?", 1);
  const [, identifier, action = null] = PATH.exec(path) ?? [];
  const decoded = identifier === undefined ? null : textOf(decodePercent(identifier));
  return { identifier: decoded ?? identifier ?? null, action };
}

function read(fields: Payload, { request, options }: ReadContext): Reading {
  const { identifier, action } = parseAlertPath(request.url);
  if (identifier !== null) {
    const type = textOf(request.query.identifierType);
    const about = {
      thirdpartyId: identifier,
      reference: referenceIn(identifier, type),
    };
    return request.method === "DELETE" && action === null
      ? { kind: "resolve", ...about, title: null }
      : readAction(request.method, about, action, fields, options);
  }
  const message = textAt(fields, "message");
  if (message === null) return missingField("message");
  const details = payloadAt(fields, "details");
  return {
    kind: "create",
    thirdpartyId: textAt(fields, "alias"),
    title: message,
    description: textAt(fields, "description"),
    urgency: urgencyOfWord(textAt(fields, "priority"), options),
    tags: textsOf(fields.tags),
    meta: details,
    additionalData: [
      ...dataOf(fields, "entity", "source", "priority", "user", "note"),
      ...Object.keys(details).flatMap((key) => datum(key, textOf(details[key]))),
    ],
  };
}

type About = { readonly thirdpartyId: string; readonly reference: AlertReference | null };

function readAction(
  method: string,
  about: About,
  action: string | null,
  fields: Payload,
  options: ReadContext["options"],
): Reading {
  if (method === "POST" && action === "acknowledge") {
    return { kind: "acknowledge", ...about, title: null };
  }
  if (method === "POST" && action === "close") return { kind: "resolve", ...about, title: null };
  const note = textAt(fields, "note");
  if (method === "POST" && action === "unacknowledge") {
    return { kind: "unacknowledge", ...named(about), dedupKeys: [], changes: {} };
  }
  if (method === "PUT" && isField(action)) return readChange(about, action, fields, options);
  if (method !== "POST" || action !== "notes") {
    return { kind: "ignored", reason: `${(action ?? "this").slice(0, 100)} changes nothing here` };
  }
  if (note === null) return missingField("note");
  return {
    kind: "note",
    ...named(about),
    body: note,
    author: textAt(fields, "user"),
  };
}

const named = ({ thirdpartyId, reference }: About) => ({
  thirdpartyId: boundIdentifier(thirdpartyId),
  ...(reference && { reference }),
});

const isField = (action: string | null): action is string =>
  action !== null && ["message", "description", "priority"].includes(action);

/** An update of one field, which has the action's name. */
function readChange(
  about: About,
  field: string,
  fields: Payload,
  options: ReadContext["options"],
): Reading {
  const value = textAt(fields, field);
  if (value === null) return missingField(field);
  const urgency = field === "priority" ? urgencyOfWord(value, options) : null;
  if (field === "priority" && urgency === null) {
    return { kind: "invalid", errors: [{ message: "priority must be P1 to P5", field }] };
  }
  const changes = {
    ...(field === "message" && { title: boundText(value, MAX_TITLE) }),
    ...(field === "description" && { description: boundText(value, MAX_DESCRIPTION) }),
    ...(urgency !== null && { urgency }),
  };
  return { kind: "change", ...named(about), dedupKeys: [], changes };
}
