// The endpoint of a calendar feed, outside the versioned API. The secret in the path authenticates.
import { headersNamed, referencesTo } from "../errors.ts";
import { OPERATION_DESCRIPTIONS } from "../operation-words.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

const ETAG: Shape = { ETag: { description: "Changes with the calendar.", schema: text } };

const secret: Shape = {
  name: "secret",
  in: "path",
  required: true,
  description: "The feed's secret, as in its `url`.",
  schema: text,
  example: "5b1e0c2d7f8a4e93",
};

const day = (name: string, description: string): Shape => ({
  name,
  in: "query",
  required: false,
  description,
  schema: { ...text, format: "date" },
});

const window = [
  day("from", "The first day (UTC). Default: 30 days ago."),
  day(
    "to",
    "The day after the last day (UTC), at most 366 days after `from`. Default: in 180 days.",
  ),
];

const EXAMPLE = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tocsin//On call//EN", "END:VCALENDAR"]
  .map((line) => `${line}\r\n`)
  .join("");

export const calendarPaths: Shape = {
  "/feeds/{secret}.ics": {
    get: {
      operationId: "readCalendar",
      summary: "Subscribe to a calendar",
      description: OPERATION_DESCRIPTIONS.readCalendar,
      tags: ["Calendar feeds"],
      security: [],
      parameters: [secret, ...window],
      responses: {
        200: {
          description: "The shifts of the window, with names and without addresses (iCalendar).",
          headers: { ...headersNamed(["X-Request-Id"]), ...ETAG },
          content: { "text/calendar": { schema: text, example: EXAMPLE } },
        },
        304: {
          description: "Nothing has changed since the `If-None-Match` sent.",
          headers: { ...headersNamed(["X-Request-Id"]), ...ETAG },
        },
        ...referencesTo(["malformed", "invalid", "not_found", "too_many", "unavailable"]),
      },
    },
  },
};
