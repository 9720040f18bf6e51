// Removes occurrences from a repeating event: one, or one and all that follow (contract 4, Changes
// of a series). Repeating a request changes nothing.

import type { EventWithOverridesRemoved } from "../../../contract/oncall/event.ts";
import { AmendEvent } from "../../../contract/oncall/event-parameters.ts";
import { type EventFamily, selectFamily, toFamily } from "../../../db/oncall/event-family.ts";
import { type EventEdit, updateFamily } from "../../../db/oncall/event-rows.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import {
  decideException,
  decideTermination,
} from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { type Answer, found } from "../../../http/answers.ts";
import { pathIdentifier, writeAndRead } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { eventRecords, shownChange } from "./event-records.ts";

// ── Rules ──

/** The event after the removal; null when the request changes nothing. */
type Amended = { readonly event: OnCallEvent; readonly edit: EventEdit } | null;

type Amend = (event: OnCallEvent, actionAt: number, now: number) => Amended | Refusal;

const addException: Amend = (event, actionAt, now) => {
  const decision = decideException(event, actionAt);
  if (decision.kind !== "exception") return decision.kind === "unchanged" ? null : decision;
  const added = { id: newId(now), startAt: decision.startAt };
  return { event: { ...event, exceptions: [...event.exceptions, added] }, edit: { added } };
};

const terminate: Amend = (event, actionAt) => {
  const decision = decideTermination(event, actionAt);
  if (decision.kind !== "cut") return decision.kind === "unchanged" ? null : decision;
  return { event: { ...event, cutAt: decision.cutAt }, edit: {} };
};

// ── Routes ──

function writesOf(family: EventFamily, amended: Amended, accountId: string, now: number) {
  if (amended === null) return { writes: [], removed: [] };
  return updateFamily(accountId, family, amended.event, amended.edit, now);
}

async function applyAmendment(request: ApiRequest<AmendEvent>, amend: Amend): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "event");
  if (isRefusal(identifier)) return identifier;
  const read = selectFamily(accountId, identifier);
  const { rows } = await resolveWith(db, accountId, [], [read]);
  const family = toFamily(rows[0], identifier);
  if (!family) return notFound("event");
  const amended = amend(family.event, body.action_time, now);
  if (isRefusal(amended)) return amended;
  const { writes: changes, removed } = writesOf(family, amended, accountId, now);
  const writes = [...request.stillAllowed, ...changes];
  const record = await writeAndRead(db, writes, eventRecords, accountId, identifier);
  return isRefusal(record)
    ? record
    : found<EventWithOverridesRemoved>({ ...record, overrides_removed: removed });
}

function amendmentRoute(
  { name, operation, summary }: Record<"name" | "operation" | "summary", string>,
  amend: Amend,
): DeclaredRoute {
  return route({
    method: "POST",
    path: `/events/:id/${name}`,
    operation,
    summary,
    shows: shownChange,
    refuses: ["conflict"],
    body: AmendEvent,
    handle: (request) => retryOnConflict(() => applyAmendment(request, amend)),
  });
}

export const eventAmendmentRoutes: readonly DeclaredRoute[] = [
  amendmentRoute(
    {
      name: "add_exception",
      operation: "addEventException",
      summary: "Remove one occurrence of a repeating event",
    },
    addException,
  ),
  amendmentRoute(
    {
      name: "terminate_on",
      operation: "terminateEvent",
      summary: "Remove an occurrence of a repeating event and all later ones",
    },
    terminate,
  ),
];
