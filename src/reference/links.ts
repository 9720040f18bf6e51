// The addresses of links in messages, outside the versioned API: pages for people, named by a signed token.
import { headersNamed, referencesTo } from "./errors.ts";
import { type Shape, text } from "./json-schema.ts";

const token: Shape = {
  name: "token",
  in: "path",
  required: true,
  description:
    "Who may do what, signed: one person, one alert, broadcast or invitation, until it expires.",
  schema: text,
  example: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhdWQiOiJhbGVydCJ9.c2lnbmF0dXJl",
};

const page = (description: string, ...headers: string[]): Shape => ({
  description,
  headers: headersNamed(["X-Request-Id", ...headers]),
  content: { "text/html": { schema: text, example: "<!doctype html><title>Disk full</title>" } },
});

const pages: Shape = {
  200: page("What it is about, and what has happened."),
  403: page("The person does not belong to the account any more."),
  404: page("No such link, or what it was about is gone. JSON where the deployment has no links."),
  410: page("The link has expired."),
  429: page("Over the rate.", "Retry-After"),
  503: page("Something this needs is down and nothing was changed.", "Retry-After"),
};

const action: Shape = {
  type: "object",
  properties: { action: { type: "string", description: "The value of a button." } },
  required: ["action"],
};

const shared = {
  tags: ["Links in messages"],
  security: [],
  parameters: [token],
};

export const linkPaths: Shape = {
  "/a/{token}": {
    get: {
      operationId: "showLink",
      summary: "Show what a link is about",
      description: "A page with buttons. Opening it changes nothing, whoever opens it.",
      ...shared,
      responses: { ...pages, ...referencesTo([]) },
    },
    post: {
      operationId: "useLink",
      summary: "Press a button of the page",
      description:
        "Acts as the person on that one record: the button's value is `action` (for an alert `acknowledge`, `reject` or `resolve`).",
      ...shared,
      requestBody: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": {
            schema: action,
            example: { action: "acknowledge" },
          },
        },
      },
      responses: {
        ...pages,
        409: page("It could not be done: the page says what stands against it."),
        422: page("No button of the page."),
        ...referencesTo([]),
      },
    },
  },
};
