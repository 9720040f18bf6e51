// The PagerDuty Events API v2: what senders that speak only that send, to this integration's URL or to /v2/enqueue with
// its intake key.
import { dataOf, datum } from "../additional-data.ts";
import { MAX_ITEMS } from "../bounds.ts";
import { isPayload, listAt, type Payload, payloadAt, textAt, textsOf } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

/** What was deployed or configured: kept in the log, it opens nothing. */
const CHANGES = "/v2/change/";

export const pagerdutyEvents = sender({
  name: "pagerduty_events",
  title: "PagerDuty Events API",
  description:
    "Whatever speaks the PagerDuty Events API v2: POST /v2/enqueue here, with the intake key as routing_key.",
  says: ["acknowledge", "resolve"],
  read: (event, { request, options }) => {
    if (request.url.startsWith(CHANGES)) return { kind: "ignored", reason: "a change event" };
    const action = textAt(event, "event_action");
    const kind = kindOf(action, {
      create: ["trigger"],
      acknowledge: ["acknowledge"],
      resolve: ["resolve"],
    });
    if (kind === null) return notForUs("event_action", action);
    const payload = payloadAt(event, "payload");
    return {
      kind,
      thirdpartyId: textAt(event, "dedup_key"),
      title: textAt(payload, "summary"),
      description: textAt(payload, "custom_details"),
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

function linksOf(event: Payload) {
  const links = listAt(event, "links").slice(0, MAX_ITEMS).filter(isPayload);
  const images = listAt(event, "images").slice(0, MAX_ITEMS).filter(isPayload);
  return [
    ...links.flatMap((link) => datum(textAt(link, "text") ?? "link", textAt(link, "href"), "link")),
    ...images.flatMap((image) => {
      const src = textAt(image, "src");
      const isSafe = /^https:\/\/\S+$/i.test(src ?? "");
      return datum(textAt(image, "alt") ?? "image", src, isSafe ? "img" : "text");
    }),
  ];
}
