// PagerDuty's Events API, versions 1 and 2: events of senders that support no other format, sent to
// this integration's URL or to that API's paths with the intake key.
import { isJsonObject } from "../../domain/shared/json.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { listAt, type Payload, payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { formatLines } from "../reading/readable-lines.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, type Reading, readState } from "../sender-type.ts";

/** The path of change events, which create no alert. */
const CHANGES = "/v2/change/";

export const pagerdutyEvents = createSenderType({
  name: "pagerduty_events",
  title: "PagerDuty Events API",
  description: "Any tool that supports the PagerDuty Events API, v2 or v1.",
  // Clients of PagerDuty's Events API repeat 429 for ever, by its documentation 5xx too.
  repeats: [429, "5xx"],
  // Shown as links, images and in the description.
  leavesOut: /^(?:links|images|contexts|details|payload\.custom_details)/,
  says: ["acknowledge", "resolve"],
  read: (event, { request, options }) => {
    if (request.url.startsWith(CHANGES)) return readChange(event);
    const action = textAt(event, "event_action") ?? textAt(event, "event_type");
    const kind = readState("event_action", action, {
      create: ["trigger"],
      acknowledge: ["acknowledge"],
      resolve: ["resolve"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const payload = payloadAt(event, "payload");
    return {
      kind,
      thirdpartyId: textAt(event, "dedup_key") ?? textAt(event, "incident_key"),
      title: textAt(payload, "summary") ?? textAt(event, "description"),
      description: formatLines(payload.custom_details ?? event.details),
      urgency: urgencyOfWord(textAt(payload, "severity"), options),
      tags: textsOf([payload.component, payload.group, payload.class]),
      additionalData: [
        ...dataOf(payload, "source", "severity", "component", "group", "class", "timestamp"),
        ...datum("client", textAt(event, "client")),
        ...datum("client_url", textAt(event, "client_url"), "link"),
        ...linksOf(event),
      ],
    };
  },
});

/** A change event is only logged, with its summary. */
function readChange(event: Payload): Reading {
  const summary = textAt(event, "payload", "summary") ?? "without a summary";
  const source = textAt(event, "payload", "source");
  const text = source === null ? summary : `${summary} (${source})`;
  return { kind: "ignored", reason: `Change event: ${text.slice(0, 500)}`, isRecord: true };
}

function linksOf(event: Payload) {
  // Version 1 has links and images in one list.
  const contexts = listAt(event, "contexts").slice(0, MAX_ITEMS).filter(isJsonObject);
  const isImage = (context: Payload) => textAt(context, "type") === "image";
  const listOf = (name: string) => listAt(event, name).slice(0, MAX_ITEMS).filter(isJsonObject);
  const links = [...listOf("links"), ...contexts.filter((context) => !isImage(context))];
  const images = [...listOf("images"), ...contexts.filter(isImage)];
  return [
    ...links.flatMap((link) => datum(textAt(link, "text") ?? "link", textAt(link, "href"), "link")),
    ...images.flatMap((image) => {
      const src = textAt(image, "src");
      const isSafe = /^https:\/\/\S+$/i.test(src ?? "");
      return datum(textAt(image, "alt") ?? "image", src, isSafe ? "img" : "text");
    }),
  ];
}
