// Validates a router's parameters: the receivers named by its rules and default must exist, and the
// router must not lead back to itself. Shared by writes and by previews of unsaved rules
// (`unsaved-rules.ts`).
import { sql } from "drizzle-orm";
import type { UpdateRouter } from "../../contract/routing/router-parameters.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { oneRecord } from "../../db/records/records.ts";
import { type Reference, type Resolved, resolveWith } from "../../db/records/references.ts";
import { routerReceivers, routers } from "../../db/schema/integrations.ts";
import type { Connection } from "../../db/shared/database.ts";
import type { Receiver } from "../../domain/routing/routing.ts";
import { mentionsOf, RECEIVER_TYPES } from "../../domain/routing/rules/router-rules.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import {
  type FieldError,
  notFound,
  type Refusal,
  refuseFields,
} from "../../domain/shared/refusal.ts";
import type { FurtherChecks } from "../../http/parameters/valid-part.ts";
import {
  findLoop,
  resolveMentions,
  selectNamedLeads,
  selectReceivers,
} from "./router-receivers.ts";

// ── Rows ──

/** Selects the stored router and the receivers its rules name. */
const selectStoredRouter = (accountId: string, identifier: Identifier) =>
  sql`select ${routers.id} as id, ${routers.name} as name, ${routers.updatedAt} as updated_at,
      ${routers.defaultReceiverType} as type, ${routers.defaultReceiverId} as receiver_id,
      (select json_group_array(json_object('type', receiver_type, 'id', receiver_id))
        from ${routerReceivers} where ${routerReceivers.routerId} = ${routers.id}) as receivers
    from ${routers} where ${oneRecord(routers, accountId, identifier)}`;

type StoredRouter = {
  readonly id: string;
  readonly name: string;
  readonly updatedAt: number;
  readonly defaultReceiver: Receiver;
  readonly receivers: readonly Receiver[];
};

const toStoredRouter = (row: RawRow): StoredRouter => ({
  id: String(row.id),
  name: String(row.name),
  updatedAt: Number(row.updated_at),
  defaultReceiver: { type: row.type as Receiver["type"], id: String(row.receiver_id) },
  receivers: JSON.parse(String(row.receivers)) as Receiver[],
});

// ── Rules ──

const defaultField = (type: Receiver["type"]) => `default_receiver_${type}_id` as const;
const DEFAULT_FIELDS = RECEIVER_TYPES.map(defaultField);

const defaultReferences = (body: UpdateRouter): Reference[] =>
  RECEIVER_TYPES.map((type) => {
    const requested = body[defaultField(type)];
    return { field: defaultField(type), kind: type, ids: requested ? [requested] : [] };
  });

/**
 * Requires exactly one default receiver: the one in the body, or the stored one unless the body
 * clears it.
 */
function defaultFaults(body: UpdateRouter, stored: StoredRouter | null): FieldError[] {
  const requested = DEFAULT_FIELDS.filter((name) => body[name] != null).length;
  const keepsStored = stored !== null && body[defaultField(stored.defaultReceiver.type)] !== null;
  if (requested === 1 || (requested === 0 && keepsStored)) return [];
  const message = `exactly one of ${DEFAULT_FIELDS.join(", ")} must name the default receiver`;
  return [{ field: "default_receiver_team_id", message }];
}

/**
 * Checks beyond the form of the parameters. The default receiver of an existing router is checked
 * in `decideRouter`, which reads the stored one.
 */
export const routerChecks = (body: UpdateRouter, isNew: boolean): FurtherChecks => ({
  faults: isNew ? defaultFaults(body, null) : [],
  references: defaultReferences(body),
});

function requestedDefault(resolved: Extract<Resolved, { ok: true }>): Receiver | null {
  for (const type of RECEIVER_TYPES) {
    const [id] = resolved.idsOf(defaultField(type));
    if (id !== undefined) return { type, id };
  }
  return null;
}

const isRouter = ({ type }: Receiver) => type === "router";

/** A loop would page nobody. */
function findLoopErrors(
  router: { readonly id: string; readonly name: string },
  receiver: Receiver,
  receivers: readonly Receiver[],
  leads: readonly RawRow[],
): FieldError[] {
  const next = [receiver, ...receivers].filter(isRouter).map(({ id }) => id);
  const loop = findLoop(router, next, leads);
  if (loop === null) return [];
  const byDefault = isRouter(receiver) && findLoop(router, [receiver.id], leads) !== null;
  const name = byDefault ? "default_receiver_router_id" : "rules";
  return [{ field: name, message: `${name} creates a loop: ${loop.join(" → ")}` }];
}

/** The receivers of a router after its parameters are applied. */
export type RouterLeads = {
  readonly defaultReceiver: Receiver;
  /** The receivers its rules name. */
  readonly receivers: readonly Receiver[];
};

/**
 * Validates a router's parameters against the stored router, `held`.
 *
 * @param identifier the router to change; null for a new one, which no router can lead to yet
 */
export async function decideRouter<Which extends Identifier | null>(
  db: Connection,
  accountId: string,
  body: UpdateRouter,
  identifier: Which,
): Promise<(RouterLeads & { readonly held: Which extends null ? null : StoredRouter }) | Refusal> {
  const mentions = mentionsOf(body.rules?.rules ?? []);
  const { resolved, rows } = await resolveWith(db, accountId, defaultReferences(body), [
    selectReceivers(accountId, mentions),
    ...(identifier ? [selectStoredRouter(accountId, identifier), selectNamedLeads(accountId)] : []),
  ]);
  const [named = [], [storedRow] = [], leads = []] = rows;
  if (identifier && !storedRow) return notFound("router");
  const held = storedRow ? toStoredRouter(storedRow) : null;
  const mentioned = resolveMentions(mentions, named);
  const faults = [...defaultFaults(body, held), ...mentioned.errors];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  const defaultReceiver = requestedDefault(resolved) ?? held?.defaultReceiver;
  if (faults.length > 0 || defaultReceiver === undefined) return refuseFields(faults);
  const receivers = body.rules === undefined && held ? held.receivers : mentioned.receivers;
  const loop = held ? findLoopErrors(held, defaultReceiver, receivers, leads) : [];
  if (loop.length > 0) return refuseFields(loop);
  return { held: held as Which extends null ? null : StoredRouter, defaultReceiver, receivers };
}
