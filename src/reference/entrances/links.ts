// The endpoints of links in messages, outside the versioned API: HTML pages behind a signed token.
import { headersNamed, referencesTo } from "../errors.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

const token: Shape = {
  name: "token",
  in: "path",
  required: true,
  description:
    "A signed token for one person and one alert, broadcast or invitation, with an expiry.",
  schema: text,
  example: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhdWQiOiJhbGVydCJ9.c2lnbmF0dXJl",
};

const page = (description: string, ...headers: string[]): Shape => ({
  description,
  headers: headersNamed(["X-Request-Id", ...headers]),
  content: { "text/html": { schema: text, example: "<!doctype html><title>Disk full</title>" } },
});

const pages: Shape = {
  200: page("The record with its timeline."),
  403: page("The person is no longer a member of the account."),
  404: page("The link is invalid or its record was deleted. JSON if the deployment has no links."),
  410: page("The link has expired."),
  429: page("Over the rate limit.", "Retry-After"),
  503: page("A dependency is unavailable and nothing was changed.", "Retry-After"),
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
      summary: "Show the page of a link",
      description: "A page with buttons. Opening it changes nothing.",
      ...shared,
      responses: { ...pages, ...referencesTo([]) },
    },
    post: {
      operationId: "useLink",
      summary: "Submit a button of the page",
      description:
        "Acts as the person on the record. `action` is the button's value (for an alert `acknowledge`, `reject` or `resolve`).",
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
        409: page("The current state does not allow the action; the page names the conflict."),
        422: page("The value is not one of the page's buttons."),
        ...referencesTo([]),
      },
    },
  },
};
