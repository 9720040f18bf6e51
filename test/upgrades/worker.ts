// The previous version and this one in one runtime. `/upgrade/flip` says which code objects have
// from now on, and the share of requests and queue batches that this version handles: as while a
// deployment is shifted gradually, objects and their callers have different versions.
import { DurableObject, env } from "cloudflare:workers";
import * as previous from "previous-version";
import * as current from "../../src/index.ts";
import crashWorker from "../crash/worker.ts";

type Exports = Readonly<Record<string, unknown>>;
type Entrances = Required<Pick<ExportedHandler<Cloudflare.Env>, "fetch" | "queue" | "scheduled">>;
type ObjectClass = new (
  ctx: DurableObjectState,
  env: Cloudflare.Env,
) => DurableObject<Cloudflare.Env>;

/** What runs now. `share`: of requests and batches that this version handles, between 0 and 1. */
const running = { objects: "current", share: 1 };

/** The objects that have been created since the last flip: their bindings and ids. */
const living = new Map<string, { readonly binding: string; readonly id: string }>();

const isClass = (value: unknown): value is ObjectClass => typeof value === "function";
const hasEntrances = (value: unknown): value is Entrances =>
  typeof value === "object" && value !== null && "fetch" in value && "queue" in value;

/** The class of a version, with a method that ends the object as a deployment does. */
function resettable(exports: Exports, name: string): ObjectClass | null {
  const base = exports[name];
  if (!isClass(base)) return null;
  return class extends base {
    async reset(): Promise<void> {
      this.ctx.abort("This object was reset because its code was updated.");
    }
  };
}

/** An object class whose instances have the code of the version that runs when they are created. */
function flipping(name: string, binding: string): ObjectClass {
  const now = resettable(current, name);
  // A new kind of object exists in this version only.
  const before = resettable(previous, name) ?? now;
  return class extends DurableObject<Cloudflare.Env> {
    constructor(ctx: DurableObjectState, own: Cloudflare.Env) {
      super(ctx, own);
      const id = ctx.id.toString();
      living.set(`${binding} ${id}`, { binding, id });
      const chosen = running.objects === "current" ? now : before;
      if (chosen === null) throw new Error(`no version has the class ${name}`);
      // biome-ignore lint/correctness/noConstructorReturn: the version's own object takes its place.
      return new chosen(ctx, own);
    }
  };
}

export const IntegrationInbox = flipping("IntegrationInbox", "INTEGRATION_INBOX");
export const AlertObject = flipping("AlertObject", "ALERT");
export const ScheduleObject = flipping("ScheduleObject", "SCHEDULE");
export const TeamObject = flipping("TeamObject", "TEAM");
export const CalendarImportObject = flipping("CalendarImportObject", "CALENDAR_IMPORT");
export const AbsenceCalendarObject = flipping("AbsenceCalendarObject", "ABSENCE_CALENDAR");
export const PersonObject = flipping("PersonObject", "PERSON");
export const DedupKeyObject = flipping("DedupKeyObject", "DEDUP_KEY");
export const WelcomeObject = flipping("WelcomeObject", "WELCOME");
export const AccessMailObject = flipping("AccessMailObject", "ACCESS_MAIL");
export const SecurityMailObject = flipping("SecurityMailObject", "SECURITY_MAIL");
export const BroadcastObject = flipping("BroadcastObject", "BROADCAST");
export const CoverRequestObject = flipping("CoverRequestObject", "COVER_REQUEST");
export const BulkOperationObject = flipping("BulkOperationObject", "BULK_OPERATION");
export const OutgoingObject = flipping("OutgoingObject", "OUTGOING");
export const LiveObject = flipping("LiveObject", "LIVE");
export const OperationsObject = flipping("OperationsObject", "OPERATIONS");
export const StandbyObject = flipping("StandbyObject", "STANDBY");

/** Ends an object; the call fails, since the object has ended. */
async function reset(binding: string, id: string): Promise<void> {
  const namespaces = env as unknown as Readonly<Record<string, DurableObjectNamespace>>;
  const objects = namespaces[binding];
  const stub = objects?.get(objects.idFromString(id)) as
    | { reset?: () => Promise<void> }
    | undefined;
  await stub?.reset?.().catch(() => null);
}

/** Changes what runs. @returns how many objects were reset */
async function flip(url: URL): Promise<Response> {
  running.objects = url.searchParams.get("objects") ?? "current";
  running.share = Number(url.searchParams.get("share") ?? "1");
  const ended = [...living.values()];
  living.clear();
  await Promise.all(ended.map(({ binding, id }) => reset(binding, id)));
  return Response.json({ reset: ended.length });
}

/** The entrances of the version that handles the next request or batch. */
function entrances(): Entrances {
  const before = previous.default;
  if (Math.random() >= running.share && hasEntrances(before)) return before;
  return { ...current.default, fetch: crashWorker.fetch };
}

export default {
  fetch: (request, own, context) => {
    const url = new URL(request.url);
    if (url.pathname === "/upgrade/flip") return flip(url);
    if (url.pathname.startsWith("/crash/")) return crashWorker.fetch(request, own, context);
    return entrances().fetch(request, own, context);
  },
  queue: (batch, own, context) => entrances().queue(batch, own, context),
  scheduled: (controller, own, context) => entrances().scheduled(controller, own, context),
} satisfies ExportedHandler<Cloudflare.Env>;
