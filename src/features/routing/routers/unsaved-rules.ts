// Unsaved rules from an editor: a router, and a notification rule. Validated as a write validates
// them, and converted to what routing and planning read.
import type * as z from "zod";
import type { Facts } from "../../../domain/alerts/commands.ts";
import type { DestinationFacts } from "../../../domain/alerts/escalation.ts";
import type { PersonalRule } from "../../../domain/notifications/notification-plan.ts";
import { REQUESTED_EVENTS } from "../../../domain/notifications/requested-notifications.ts";
import type { Router, Routers } from "../../../domain/routing/routing.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { Context } from "../../change/context.ts";
import { type DecidedRouter, decideNewRouter, decideRouterChange } from "./decide-router.ts";
import { byIdentifier, readRouters } from "./rows.ts";
import type { unsavedRules } from "./unsaved-rules-parameters.ts";

type UnsavedParameters = z.output<z.ZodObject<typeof unsavedRules>>;
type RouterParameters = NonNullable<UnsavedParameters["router"]>;

type Reader = Pick<Context, "db" | "actor" | "now">;

export type Unsaved = {
  /**
   * Replaces the router with its id, which may not exist yet; null when the request has no router.
   */
  readonly router: Router | null;
  /** Whether the router exists. */
  readonly isKept: boolean;
  /**
   * Replaces everyone's notification rule, null meaning none; undefined: each person's own applies.
   */
  readonly rule: PersonalRule | undefined;
};

// ── Rules ──

/** The name of a rule that has none yet. */
const UNNAMED = "as written";

/** Reads the rules of a request's body; 422, of which errors name the path of their parameter. */
export async function readUnsavedRules(
  context: Reader,
  { notification_rule: notificationRule, router: parameters }: UnsavedParameters,
): Promise<Unsaved | Refusal> {
  const router = parameters ? await readRouter(context, parameters) : null;
  if (isRefusal(router)) return prefixFields("router", router);
  return {
    router,
    isKept: parameters?.id != null,
    rule: notificationRule ? ruleOf(notificationRule) : undefined,
  };
}

function ruleOf({
  name,
  enabled,
  rules,
}: NonNullable<UnsavedParameters["notification_rule"]>): PersonalRule {
  return enabled === false ? null : { name: name ?? UNNAMED, rules: rules?.rules ?? [] };
}

/** The router as a write would store it. */
async function readRouter(
  context: Reader,
  parameters: RouterParameters,
): Promise<Router | Refusal> {
  if (!parameters.id) {
    const decided = await decideNewRouter(context, parameters);
    return isRefusal(decided) ? decided : routerOf(parameters, newId(context.now), null, decided);
  }
  const unknown = refuse("invalid", `id: no such router ${parameters.id.slice(0, 64)}`, "id");
  const identifier = parseIdentifier("router", parameters.id);
  if (identifier === null) return unknown;
  const decided = await decideRouterChange(context, identifier, parameters);
  if (isRefusal(decided)) return decided.reason === "not_found" ? unknown : decided;
  const { id } = decided.stored;
  const stored = (await readRouters(context.db, context.actor.accountId, [id])).get(id) ?? null;
  return routerOf(parameters, id, stored, decided);
}

const routerOf = (
  { name, enabled, rules }: RouterParameters,
  id: string,
  stored: Router | null,
  { defaultReceiver, receivers }: DecidedRouter,
): Router => ({
  id,
  name: name ?? stored?.name ?? UNNAMED,
  enabled: enabled ?? stored?.enabled ?? true,
  rules: rules ? rules.rules : (stored?.rules ?? []),
  receivers: byIdentifier(receivers),
  defaultReceiver,
});

/** Prefixes the fields of a refusal with the name of the parameter that contains them. */
const prefixFields = (name: string, refusal: Refusal): Refusal => ({
  ...refusal,
  errors: refusal.errors.map((error) => ({
    message: error.message.replace(/^\w+(?=:? )/, (word) =>
      word === error.field ? `${name}.${word}` : word,
    ),
    ...(error.field && { field: `${name}.${error.field}` }),
  })),
});

/** The ids of the routers to read: those wanted, and those the unsaved router leads to. */
export const routersToRead = (wanted: readonly string[], { router }: Unsaved): readonly string[] =>
  router === null
    ? wanted
    : [...wanted, ...[router.defaultReceiver, ...router.receivers.values()].map(({ id }) => id)];

/** The routers, with the unsaved one in place of the stored one. */
export const withUnsavedRouter = (routers: Routers, { router }: Unsaved): Routers =>
  router === null ? routers : new Map([...routers, [router.id, router]]);

/** The facts, with everyone subscribed to the events that the unsaved notification rule names. */
export function withUnsavedNotificationRule(facts: Facts, { rule }: Unsaved): Facts {
  if (rule === undefined) return facts;
  const named = rule?.rules.flatMap(({ types }) => types) ?? [];
  const wants = REQUESTED_EVENTS.filter((event) => named.includes(event));
  const subscribe = (it: DestinationFacts): DestinationFacts => ({
    ...it,
    onCall: Object.fromEntries(
      Object.entries(it.onCall).map(([layer, people]) => [
        layer,
        people.map((person) => ({ ...person, wants })),
      ]),
    ),
  });
  return new Map([...facts].map(([key, it]) => [key, it && subscribe(it)]));
}
