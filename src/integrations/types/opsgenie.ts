// Opsgenie's Alert API: what senders that speak only that send, to /v2/alerts with the intake key as GenieKey. Which
// alert is meant, and what is done to it, stands in the path.
import { dataOf, datum } from "../additional-data.ts";
import { boundedIdentifier } from "../bounds.ts";
import { type Payload, payloadAt, textAt, textOf, textsOf } from "../payload.ts";
import { type Reading, sender, type Told, unread } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

/** What that API can do to an alert. Of these, only the first three change something here. */
const ACTIONS =
  "acknowledge|close|notes|unacknowledge|snooze|escalate|assign|teams|tags|details|actions|responders|message|" +
  "description|priority";
/** An alias may have slashes in it, which not every client escapes. */
const PATH = new RegExp(`/v2/alerts(?:/(.+?))?(?:/(${ACTIONS})(?:/[^/]*)?)?/?$`);

export const opsgenie = sender({
  name: "opsgenie",
  title: "Opsgenie Alert API",
  description:
    "Whatever speaks Opsgenie's Alert API: create, acknowledge, close, note; the intake key is the GenieKey.",
  says: ["acknowledge", "resolve"],
  read,
});

function read(fields: Payload, { request, options }: Told): Reading {
  const [path = ""] = request.url.split("?", 1);
  const [, identifier, action] = PATH.exec(path) ?? [];
  if (identifier !== undefined) {
    const id = decoded(identifier);
    return request.method === "DELETE" && action === undefined
      ? { kind: "resolve", ...about(id) }
      : readAction(request.method, id, action, fields);
  }
  const message = textAt(fields, "message");
  if (message === null) return unread("message");
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

function readAction(
  method: string,
  id: string,
  action: string | undefined,
  fields: Payload,
): Reading {
  if (method === "POST" && action === "acknowledge") return { kind: "acknowledge", ...about(id) };
  if (method === "POST" && action === "close") return { kind: "resolve", ...about(id) };
  const note = textAt(fields, "note");
  if (method !== "POST" || action !== "notes") {
    return { kind: "ignored", reason: `${(action ?? "this").slice(0, 100)} changes nothing here` };
  }
  if (note === null) return unread("note");
  const author = textAt(fields, "user");
  return { kind: "note", thirdpartyId: boundedIdentifier(id), body: note, author };
}

const about = (thirdpartyId: string) => ({ thirdpartyId, title: null });

function decoded(part: string): string {
  try {
    const text = textOf(decodeURIComponent(part));
    return text ?? part;
  } catch {
    return part;
  }
}
