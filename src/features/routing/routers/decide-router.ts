// Validates a router's parameters: the receivers named by its rules and default must exist, and the
// router must not lead back to itself. Shared by writes and by previews of unsaved rules
// (`./unsaved-rules.ts`).
import { describeFault } from "../../../domain/routing/conditions/located.ts";
import { findLoop, type RouterEdge } from "../../../domain/routing/router-loop.ts";
import type { Receiver } from "../../../domain/routing/routing.ts";
import {
  type Mention,
  mentionsOf,
  RECEIVER_TYPES,
} from "../../../domain/routing/rules/router-rules.ts";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  notFound,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { type Resolved, resolveWith } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import type { Router } from "./contract.ts";
import type { UpdateRouter } from "./parameters.ts";
import { defaultFaults, referencesOf, requestedDefault } from "./router-writes.ts";
import {
  routerRecords,
  type StoredRouter,
  selectReceivers,
  selectRouterEdges,
  selectStoredRouter,
} from "./rows.ts";

/** The receivers of a router after its parameters are applied. */
export type DecidedRouter = {
  readonly defaultReceiver: Receiver;
  /** The receivers its rules name. */
  readonly receivers: readonly Receiver[];
};

type Reader = Pick<Context, "db" | "actor">;

/** Validates the parameters of a new router, which no router can lead to yet; 422. */
export async function decideNewRouter(
  { db, actor }: Reader,
  body: UpdateRouter,
): Promise<DecidedRouter | Refusal> {
  const { accountId } = actor;
  const mentions = mentionsOf(body.rules?.rules ?? []);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectReceivers(accountId, identifiersOf(mentions)),
  ]);
  const [named] = rows;
  return decide(body, null, resolved, resolveMentions(mentions, withExpected(db, named, mentions)));
}

/**
 * Validates the parameters against the stored router.
 *
 * @returns the receivers, with the router as stored and as shown; 404; 422
 */
export async function decideRouterChange(
  { db, actor }: Reader,
  identifier: Identifier,
  body: UpdateRouter,
): Promise<(DecidedRouter & { readonly stored: StoredRouter; readonly before: Router }) | Refusal> {
  const { accountId } = actor;
  const mentions = mentionsOf(body.rules?.rules ?? []);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectReceivers(accountId, identifiersOf(mentions)),
    selectStoredRouter(accountId, identifier),
    selectRouterEdges(accountId),
    selectRecord(routerRecords, accountId, identifier),
  ]);
  const [named, [stored], edges, [before]] = rows;
  if (!stored || !before) return notFound("router");
  const receivers = withExpected(db, named, mentions);
  const decided = decide(body, stored, resolved, resolveMentions(mentions, receivers));
  if (isRefusal(decided)) return decided;
  const loop = findLoopErrors(stored, decided, edges);
  return loop.length > 0 ? refuseFields(loop) : { ...decided, stored, before };
}

// ── Rules ──

type ResolvedMentions = {
  readonly receivers: readonly Receiver[];
  readonly errors: readonly FieldError[];
};

const identifiersOf = (mentions: readonly Mention[]) => mentions.map(({ receiver }) => receiver);

/** The receivers found, and those named that the same transaction creates. */
function withExpected(
  { expected }: Reader["db"],
  found: readonly Receiver[],
  mentions: readonly Mention[],
): readonly Receiver[] {
  if (expected === undefined) return found;
  const named = new Set(identifiersOf(mentions));
  const created = RECEIVER_TYPES.flatMap((type) =>
    [...(expected.get(type) ?? [])].filter((id) => named.has(id)).map((id) => ({ type, id })),
  );
  return [...found, ...created];
}

/** The receivers found, and an error for each mention of one that does not exist. */
function resolveMentions(
  mentions: readonly Mention[],
  receivers: readonly Receiver[],
): ResolvedMentions {
  const known = new Set(receivers.flatMap(({ type, id }) => [id, prefixIdOf(type, id)]));
  const errors = mentions
    .filter(({ receiver }) => !known.has(receiver))
    .map((mention): FieldError => {
      const message = `no such team, router or account user ${mention.receiver}`;
      return { field: "rules", message: `rules ${describeFault({ ...mention, message })}` };
    });
  return { receivers, errors };
}

function decide(
  body: UpdateRouter,
  stored: StoredRouter | null,
  resolved: Resolved,
  mentioned: ResolvedMentions,
): DecidedRouter | Refusal {
  const kept = stored && { type: stored.defaultReceiverType, id: stored.defaultReceiverId };
  const faults = [...defaultFaults(body, kept?.type ?? null), ...mentioned.errors];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  const defaultReceiver = requestedDefault(resolved) ?? kept;
  if (faults.length > 0 || defaultReceiver === null) return refuseFields(faults);
  const receivers = body.rules === undefined && stored ? stored.receivers : mentioned.receivers;
  return { defaultReceiver, receivers };
}

const isRouter = ({ type }: Receiver) => type === "router";

/** A loop would page nobody. */
function findLoopErrors(
  router: StoredRouter,
  { defaultReceiver, receivers }: DecidedRouter,
  edges: readonly RouterEdge[],
): FieldError[] {
  const next = [defaultReceiver, ...receivers].filter(isRouter).map(({ id }) => id);
  const loop = findLoop(router, next, edges);
  if (loop === null) return [];
  const isByDefault =
    isRouter(defaultReceiver) && findLoop(router, [defaultReceiver.id], edges) !== null;
  const name = isByDefault ? "default_receiver_router_id" : "rules";
  return [{ field: name, message: `${name} creates a loop: ${loop.join(" → ")}` }];
}
