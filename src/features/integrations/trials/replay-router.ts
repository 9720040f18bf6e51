import { eq } from "drizzle-orm";
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import {
  MAX_WORK,
  newWorkBudget,
  type WorkBudget,
} from "../../../domain/routing/conditions/work-budget.ts";
import { isSameRoute, routeRecord } from "../../../domain/routing/replay.ts";
import {
  type Receiver,
  type Router,
  type Routers,
  type RoutingResult,
  routeAlert,
} from "../../../domain/routing/routing.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import type { RouterReplay } from "../../routing/routers/contract.ts";
import {
  readRouters,
  selectReceiverNames,
  selectRecentRequests,
} from "../../routing/routers/rows.ts";
import {
  readUnsavedRules,
  routersToRead,
  withUnsavedRouter,
} from "../../routing/routers/unsaved-rules.ts";
import { integrations } from "../../schema/integrations.ts";
import { selectIntegrations, toIntegrationConfiguration } from "../inbox/integration-rows.ts";
import { MAX_REPLAYED, type ReplayRouter } from "./replay-router-parameters.ts";
import { type LoggedRequest, type PastEvent, pastEvents, receiversOf } from "./replayed-events.ts";

/** Also the most events: one request can have many. */
const MAX_EVENTS = MAX_REPLAYED;
/** Of all events together; the older ones are left out. */
const MAX_TOTAL_WORK = 5 * MAX_WORK;

/**
 * Replays the account's last requests: what the router would have done with their events as given,
 * and what it does as stored. Of a router that no integration leads to, and of a new one, with the
 * events of all integrations; a new one is compared with each integration's own receivers. Nothing
 * is stored or sent.
 *
 * @returns the results; 422 for invalid rules, and for unknown receivers and routers
 */
export async function replayRouter(
  context: Context,
  { router: parameters, limit }: ReplayRouter,
): Promise<RouterReplay | Refusal> {
  const { db, actor } = context;
  const { accountId } = actor;
  const unsaved = await readUnsavedRules(context, { router: parameters });
  if (isRefusal(unsaved)) return unsaved;
  const draft = unsaved.router as Router;
  const [newest, rows] = await Promise.all([
    all(db, selectRecentRequests(accountId, limit ?? MAX_REPLAYED)),
    all(db, selectIntegrations(eq(integrations.accountId, accountId))),
  ]);
  const requests = newest.filter(({ isTooMuch }) => !isTooMuch);
  const configurations = rows.map(toIntegrationConfiguration);
  const wanted = configurations.flatMap(({ receivers }) => receivers.routerIds);
  const read = routersToRead([...wanted, draft.id], unsaved);
  const before = await readRouters(db, accountId, read);
  const own: readonly Receiver[] = [{ type: "router", id: draft.id }];
  const evaluated = evaluateEvents(requests, concerned(configurations, before, draft), (event) => ({
    before: { routers: before, first: unsaved.isKept ? own : receiversOf(event.integration) },
    after: { routers: withUnsavedRouter(before, unsaved), first: own },
  }));
  const names = await readNames(context, evaluated.results);
  const complete = evaluated.complete && requests.length === newest.length;
  return showReplay(requests, { ...evaluated, complete }, (id) => names.get(id) ?? "deleted");
}

/** The integrations whose alerts the router gets; all, if none leads to it. */
function concerned(
  all: readonly IntegrationConfiguration[],
  routers: Routers,
  { id }: Router,
): readonly IntegrationConfiguration[] {
  const leading = all.filter((it) => leadsTo(receiversOf(it), routers, id));
  return leading.length > 0 ? leading : all;
}

function leadsTo(receivers: readonly Receiver[], routers: Routers, id: string): boolean {
  const reached = new Set<string>();
  const open = [...receivers];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type !== "router" || reached.has(next.id)) continue;
    reached.add(next.id);
    const router = routers.get(next.id);
    if (router) open.push(router.defaultReceiver, ...router.receivers.values());
  }
  return reached.has(id);
}

type Side = { readonly routers: Routers; readonly first: readonly Receiver[] };
type Sides = { readonly before: Side; readonly after: Side };

type Compared = {
  readonly event: PastEvent;
  readonly before: RoutingResult;
  readonly after: RoutingResult;
  readonly isSame: boolean;
};

type Evaluated = { readonly results: readonly Compared[]; readonly complete: boolean };

function evaluateEvents(
  requests: readonly LoggedRequest[],
  configurations: readonly IntegrationConfiguration[],
  sidesOf: (event: PastEvent) => Sides,
): Evaluated {
  const byId = new Map(configurations.map((it) => [it.id, it]));
  const results: Compared[] = [];
  let work = 0;
  for (const request of requests) {
    const integration = byId.get(request.ownerId);
    for (const event of integration ? pastEvents(request, integration) : []) {
      if (results.length >= MAX_EVENTS || work > MAX_TOTAL_WORK)
        return { results, complete: false };
      const sides = sidesOf(event);
      const [budget, other] = [newWorkBudget(), newWorkBudget()];
      const before = routeSide(sides.before, event, budget);
      const after = routeSide(sides.after, event, other);
      work += 2 * MAX_WORK - budget.left - other.left;
      results.push({ event, before, after, isSame: isSameRoute(before, after) });
    }
  }
  return { results, complete: true };
}

const routeSide = ({ routers, first }: Side, { subject, at }: PastEvent, work: WorkBudget) =>
  routeAlert(routers, first, subject, at, work);

async function readNames({ db, actor }: Context, results: readonly Compared[]) {
  const ids = results.flatMap(({ before, after }) =>
    [...before.deliveries, ...after.deliveries].map(({ receiver }) => receiver.id),
  );
  if (ids.length === 0) return new Map<string, string>();
  const rows = await all(db, selectReceiverNames(actor.accountId, [...new Set(ids)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function showReplay(
  requests: readonly LoggedRequest[],
  { results, complete }: Evaluated,
  nameOf: (id: string) => string,
): RouterReplay {
  const different = results.filter(({ isSame }) => !isSame);
  const same = results.filter(({ isSame }) => isSame);
  return {
    requests: requests.length,
    events: results.length,
    same: same.length,
    different: different.length,
    complete,
    results: [...different, ...same].map(({ event, before, after, isSame }) => {
      const { logId, at, integration, subject } = event;
      return {
        log_id: logId,
        at: formatInstant(at),
        integration_id: integration.id,
        integration_name: integration.name,
        title: subject.content.title,
        different: !isSame,
        before: routeRecord(before, subject.content, nameOf),
        after: routeRecord(after, subject.content, nameOf),
      };
    }),
  };
}
