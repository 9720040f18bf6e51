// Read endpoints of Opsgenie's Alert API: one alert, lists, counts, and the status of a request. A
// key reads only the alerts of its own integration; reading changes nothing.
import { type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { idOfUuid, referenceIn } from "../../../domain/integrations/opsgenie-identifiers.ts";
import { instantOfId } from "../../../domain/shared/identifiers.ts";
import type { Select } from "../../../kernel/db/select.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { parseAlertPath } from "../../../products/paging/opsgenie.ts";
import { parseSearch, type Search } from "../../../products/paging/opsgenie-query.ts";
import { integrationInbox } from "../../stubs.ts";
import { type AuthenticatedRead, readAsIntegration, readRows } from "./opsgenie-caller.ts";
import { alertCondition, SORTED_BY } from "./opsgenie-conditions.ts";
import { opsgenieError, opsgenieResponse } from "./opsgenie-responses.ts";
import {
  type AlertPage,
  type RequestResult,
  type StoredRequest,
  selectAlert,
  selectAlertCount,
  selectAlertPage,
  selectRequest,
} from "./opsgenie-rows.ts";
import {
  toOpsgenieAlert,
  toOpsgenieListAlert,
  toOpsgenieRequestStatus,
} from "./opsgenie-shapes.ts";

/** How long after a request its log may be missing in D1 (ms). */
const FRESH_MS = 60_000;
/** How often, and at what interval (ms), D1 is polled for a request that is being written. */
const MAX_POLLS = 5;
const POLL_INTERVAL_MS = 100;

/** `GET /v2/alerts/:id`; 404 for any resource below an alert. */
export async function getOpsgenieAlert(context: Context<Environment>): Promise<Response> {
  const { identifier, action } = parseAlertPath(context.req.url);
  const type = context.req.query("identifierType") ?? null;
  if (identifier === null || action !== null) {
    return readAsIntegration(context, () => [], notFound("Nothing of that kind is kept here."));
  }
  const reference = referenceIn(identifier, type);
  return readAsIntegration(
    context,
    (prefixId) => [selectAlert(prefixId, reference, identifier)],
    (read) => {
      const { rows, caller, started } = read;
      const [[row]] = rows;
      if (!row) return notFound("Alert does not exist.")(read);
      const data = toOpsgenieAlert(row, caller);
      return opsgenieResponse(context, started, { status: 200, body: { data } });
    },
  );
}

type Arrived = Pick<AuthenticatedRead, "context" | "started">;

const notFound =
  (message: string, headers: Readonly<Record<string, string>> = {}) =>
  ({ context, started }: Arrived): Response =>
    opsgenieResponse(context, started, { ...opsgenieError(404, message), headers });

// ── Requests ──

/** `GET /v2/alerts/requests/:id`; waits for a request in progress to save clients a retry. */
export async function getOpsgenieRequest(context: Context<Environment>): Promise<Response> {
  const logId = idOfUuid(context.req.param("id") ?? "");
  if (logId === null) return readAsIntegration(context, () => [], notProcessed);
  return readAsIntegration(
    context,
    (prefixId) => [selectRequest(prefixId, logId)],
    async (read) => {
      const processed = await findProcessed(read, logId);
      if (processed === null) return notProcessed(read);
      const data = toOpsgenieRequestStatus(processed, read.caller.id);
      return opsgenieResponse(context, read.started, { status: 200, body: { data } });
    },
  );
}

/** This header makes the SDKs retry. */
const notProcessed = notFound("Request not found. It might not be processed, yet.", {
  "X-Opsgenie-Errortype": "RequestNotProcessed",
});

async function findProcessed(
  { context, caller, started, rows: [[read]] }: AuthenticatedRead<readonly [Select<StoredRequest>]>,
  logId: string,
): Promise<RequestResult | null> {
  const isFresh = Math.abs(started - instantOfId(logId)) < FRESH_MS;
  let found = read ?? null;
  for (let poll = 0; isFresh && !found?.isProjected && poll < MAX_POLLS; poll += 1) {
    const pending = await integrationInbox(context.env, caller.prefixId).outcome(logId);
    if (pending !== null) return pending;
    // The request left the inbox just now; D1 has it or will shortly.
    if (poll > 0) await scheduler.wait(POLL_INTERVAL_MS);
    const [[again]] = await readRows(context, [selectRequest(caller.prefixId, logId)]);
    found = again ?? null;
  }
  return found;
}

// ── Lists ──

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_OFFSET = 20_000;

/** `GET /v2/alerts`. */
export async function listOpsgenieAlerts(context: Context<Environment>): Promise<Response> {
  const page = pageOf(new URL(context.req.url).searchParams);
  if ("faults" in page) return readAsIntegration(context, () => [], invalid(page.faults));
  return readAsIntegration(
    context,
    (prefixId) => [selectAlertPage(prefixId, page), selectAlertCount(prefixId, page.condition)],
    ({ rows: [alerts, [total]], caller, started }) => {
      const data = alerts.map((row) => toOpsgenieListAlert(row, caller));
      const paging = pagingOf(new URL(context.req.url), page, total?.count ?? 0);
      return opsgenieResponse(context, started, { status: 200, body: { data, paging } });
    },
  );
}

/** `GET /v2/alerts/count`. */
export async function countOpsgenieAlerts(context: Context<Environment>): Promise<Response> {
  const page = pageOf(new URL(context.req.url).searchParams);
  if ("faults" in page) return readAsIntegration(context, () => [], invalid(page.faults));
  return readAsIntegration(
    context,
    (prefixId) => [selectAlertCount(prefixId, page.condition)],
    ({ rows: [[total]], started }) => {
      const data = { count: total?.count ?? 0 };
      return opsgenieResponse(context, started, { status: 200, body: { data } });
    },
  );
}

type Faults = Readonly<Record<string, string>>;

const invalid =
  (errors: Faults) =>
  ({ context, started }: Arrived): Response => {
    const message = "Request parameters are not processable. Please check the errors.";
    return opsgenieResponse(context, started, { status: 422, body: { message, errors } });
  };

function pageOf(params: URLSearchParams): AlertPage | { readonly faults: Faults } {
  const search = parseSearch(params.get("query") ?? "");
  const condition = search && "fault" in search ? search : conditionOf(search);
  const sortBy = params.get("sort") ?? "createdAt";
  const sort = SORTED_BY.get(sortBy);
  const order = params.get("order")?.toLowerCase() ?? "desc";
  const limit = numberIn(params.get("limit"), DEFAULT_LIMIT, 1, MAX_LIMIT);
  const offset = numberIn(params.get("offset"), 0, 0, MAX_OFFSET);
  const isOrder = order === "asc" || order === "desc";
  if ("fault" in condition || !sort || !isOrder || limit === null || offset === null) {
    const faults = {
      ...("fault" in condition && { query: condition.fault }),
      ...(!sort && { sort: `must be one of ${[...SORTED_BY.keys()].join(", ")}` }),
      ...(!isOrder && { order: "must be asc or desc" }),
      ...(limit === null && { limit: `must be between 1 and ${MAX_LIMIT}` }),
      ...(offset === null && { offset: `must be between 0 and ${MAX_OFFSET}` }),
    };
    return { faults };
  }
  if (params.get("searchIdentifier")) return { faults: { searchIdentifier: "is not known here" } };
  return { condition, sort, ascending: order === "asc", limit, offset };
}

function numberIn(text: string | null, none: number, least: number, most: number): number | null {
  if (text === null || text === "") return none;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

function conditionOf(search: Search | null): SQL | { readonly fault: string } {
  if (search === null) return sql`1`;
  switch (search.is) {
    case "term":
      return alertCondition(search.field, search.operator, search.value);
    case "not": {
      const inner = conditionOf(search.of);
      return "fault" in inner ? inner : sql`(not ${inner})`;
    }
    default: {
      const parts: SQL[] = [];
      for (const one of search.of) {
        const part = conditionOf(one);
        if ("fault" in part) return part;
        parts.push(part);
      }
      return sql`(${sql.join(parts, search.is === "all" ? sql` and ` : sql` or `)})`;
    }
  }
}

/** The URLs of the first, last, previous and next page. */
function pagingOf(url: URL, { limit, offset }: AlertPage, count: number): Record<string, string> {
  const at = (from: number) => {
    const other = new URL(url);
    other.searchParams.set("offset", String(from));
    other.searchParams.set("limit", String(limit));
    return other.toString();
  };
  const last = Math.max(0, Math.ceil(count / limit) - 1) * limit;
  return {
    first: at(0),
    last: at(Math.min(last, MAX_OFFSET)),
    ...(offset > 0 && { prev: at(Math.max(0, offset - limit)) }),
    ...(offset + limit < count && { next: at(offset + limit) }),
  };
}
