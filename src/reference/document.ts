// The OpenAPI 3.1 document: a pure function of the routes, so that its output is deterministic.
import { ANSWERS } from "../features/answers.ts";
import type { Route } from "../kernel/http/route.ts";
import { calendarPaths } from "./entrances/calendar.ts";
import { callbackPaths } from "./entrances/callbacks.ts";
import { discordCallbackPaths } from "./entrances/discord-callbacks.ts";
import { dropInPaths } from "./entrances/drop-in.ts";
import { googleChatCallbackPaths } from "./entrances/google-chat-callbacks.ts";
import { healthPaths } from "./entrances/health.ts";
import { linkPaths } from "./entrances/links.ts";
import { mattermostCallbackPaths } from "./entrances/mattermost-callbacks.ts";
import { messengerCallbackPaths } from "./entrances/messenger-callbacks.ts";
import { receiverPaths } from "./entrances/receiver.ts";
import { slackCallbackPaths } from "./entrances/slack-callbacks.ts";
import { teamsCallbackPaths } from "./entrances/teams-callbacks.ts";
import { errorResponses, HEADERS } from "./errors.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import { type CollectedComponents, operationOf } from "./operation.ts";
import { PARAMETERS } from "./parameters.ts";
import { answerSchema } from "./schemas/answers.ts";
import type { Shape } from "./schemas/json-schema.ts";

export const API = "/api/v4";

const SECURITY_SCHEMES: Shape = {
  api_key: {
    type: "http",
    scheme: "bearer",
    description: "An API key, which belongs to one account user: `Authorization: Bearer <key>`.",
  },
  metrics_token: {
    type: "http",
    scheme: "bearer",
    description: "The secret `METRICS_TOKEN` of the deployment.",
  },
  twilio_signature: {
    type: "apiKey",
    in: "header",
    name: "X-Twilio-Signature",
    description: "Twilio's signature of the request.",
  },
  vonage_signature: {
    type: "http",
    scheme: "bearer",
    description: "Vonage's JSON Web Token (HS256), which has a digest of the body.",
  },
  telnyx_signature: {
    type: "apiKey",
    in: "header",
    name: "telnyx-signature-ed25519",
    description: "Telnyx's signature of the time in `telnyx-timestamp` and the body.",
  },
  resend_signature: {
    type: "apiKey",
    in: "header",
    name: "svix-signature",
    description: "Resend's signature of `svix-id`, `svix-timestamp` and the body.",
  },
  telegram_secret: {
    type: "apiKey",
    in: "header",
    name: "X-Telegram-Bot-Api-Secret-Token",
    description: "The secret that was registered with Telegram.",
  },
  discord_signature: {
    type: "apiKey",
    in: "header",
    name: "X-Signature-Ed25519",
    description: "Discord's signature of the time in `X-Signature-Timestamp` and the body.",
  },
  google_chat_token: {
    type: "http",
    scheme: "bearer",
    description: "Google Chat's JSON Web Token for the app's project.",
  },
  bot_connector_token: {
    type: "http",
    scheme: "bearer",
    description: "The Bot Connector's JSON Web Token for the bot's app.",
  },
  slack_signature: {
    type: "apiKey",
    in: "header",
    name: "X-Slack-Signature",
    description:
      "Slack's signature of `X-Slack-Request-Timestamp` and the body, with the option `signing_secret`; at most 5 minutes old.",
  },
  genie_key: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`GenieKey` and the integration's `intake_key`.",
  },
  service_token: {
    type: "apiKey",
    in: "header",
    name: "service-token",
    description: "The integration's option `token`, if it is set.",
  },
};

/** `/alerts/:id` → `alerts`: the key of the operation's tag in `TAGS`. */
const tagKeyOf = ({ path }: Route) => path.split("/")[1] ?? "";

/** One message per route that lacks a declaration which the reference requires. */
export function findMissingDeclarations(routes: readonly Route[]): string[] {
  return routes.flatMap((route) => {
    const { method, path, summary, shows } = route as Partial<Route>;
    const missing = [
      !summary && "summary",
      !shows && "shows",
      !Object.hasOwn(TAGS, tagKeyOf(route)) &&
        `tag for ${tagKeyOf(route)} in src/reference/introduction.ts`,
    ].filter((it) => it !== false);
    return missing.length === 0 ? [] : [`${method} ${path} says no ${missing.join(", no ")}`];
  });
}

/**
 * Generates the document of these routes.
 *
 * @throws if a route lacks a required declaration
 */
export function documentOf(routes: readonly Route[]): Shape {
  const missing = findMissingDeclarations(routes);
  if (missing.length > 0) throw new Error(missing.join("\n"));
  const gathered: CollectedComponents = {
    schemas: new Map(),
    examples: new Map(),
    bodies: new Map(),
  };
  const { schemas, examples } = gathered;
  for (const name of Object.keys(ANSWERS)) schemas.set(name, answerSchema(name));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const tag = TAGS[tagKeyOf(route)]?.[0] ?? "";
    const { path, operation } = operationOf(route, tag, gathered);
    const item = paths[API + path] ?? {};
    item[route.method.toLowerCase()] = operation;
    paths[API + path] = item;
  }
  const receiver = receiverPaths(examples);
  return {
    openapi: "3.1.0",
    info: INTRODUCTION,
    servers: [{ url: "/" }],
    security: [{ api_key: [] }],
    tags: Object.values(TAGS).map(([name, description]) => ({ name, description })),
    paths: {
      ...sorted(paths),
      ...calendarPaths,
      ...healthPaths,
      ...callbackPaths,
      ...messengerCallbackPaths,
      ...slackCallbackPaths,
      ...mattermostCallbackPaths,
      ...discordCallbackPaths,
      ...googleChatCallbackPaths,
      ...teamsCallbackPaths,
      ...linkPaths,
      ...dropInPaths,
      ...receiver,
    },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: errorResponses(),
      schemas: sorted(Object.fromEntries(schemas)),
      examples: sorted(Object.fromEntries([...examples].map(([name, value]) => [name, { value }]))),
    },
  };
}

const sorted = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
