// `DELETE /account_users/:id?erase=true`: erases what the account stored about the person with the
// membership, instead of 30 days after they leave their last account. Also works after the removal.

import { requestErasure, selectMembers, withdrawRequest } from "../../db/people/erasure-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { type Connection, statement } from "../../db/shared/database.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, nothing } from "../../http/answers.ts";
import { pathIdentifier } from "../../http/records.ts";
import type { ApiRequest, DeclaredRoute } from "../../http/route.ts";
import { eraseRemoved } from "../../objects/people/erasure.ts";

const DESCRIPTION = `Ends the membership. The data that the account stored about the person is erased 30 days after
  they leave their last account, unless they return: their name in logs, timelines, comments, notifications and
  deliveries becomes \`Former member\`, addresses and numbers become \`[removed]\`. With \`erase=true\` the data is erased
  immediately; for a member of another account, only the data of this account. The erasure can also be requested after
  the removal, with the same id.`;

const NOT_A_FLAG = refuse("invalid", "erase must be true or false", "erase");

type Member = { readonly id: string; readonly userId: string; readonly isMember: boolean };

async function findMember(db: Connection, request: ApiRequest): Promise<Member | null> {
  const identifier = pathIdentifier(request, "account_user");
  if (isRefusal(identifier)) return null;
  const query = selectMembers(request.actor.accountId);
  const { results } = await statement(db, query).all<RawRow>();
  const row = results.find(({ id }) =>
    identifier.form === "id"
      ? id === identifier.value
      : prefixIdOf("account_user", String(id)) === identifier.value,
  );
  if (!row) return null;
  return { id: String(row.id), userId: String(row.user_id), isMember: row.is_member === 1 };
}

async function removeAndErase(
  request: ApiRequest,
  remove: DeclaredRoute["handle"],
): Promise<Answer> {
  const { env, db, actor, now } = request;
  const member = await findMember(db, request);
  if (member === null) return remove(request);
  // Recorded first: if this worker fails after the removal, the sweep completes the erasure.
  await statement(db, requestErasure(actor.accountId, member.id, now)).run();
  const removed = member.isMember ? await remove(request) : nothing;
  if (removed.kind !== "nothing") {
    await statement(db, withdrawRequest(member.id)).run();
    return removed;
  }
  await eraseRemoved(env, now, member.userId).catch((error: unknown) => {
    const { requestId } = request;
    console.error({ message: "an erasure waits", requestId, error: String(error).slice(0, 200) });
  });
  return removed;
}

function readFlag(text: string | null): boolean | null {
  if (text === null || text === "false" || text === "0") return false;
  return text === "true" || text === "1" ? true : null;
}

/** Wraps the routes so that removing a membership accepts `erase=true`. */
export const withErasure = (routes: readonly DeclaredRoute[]): readonly DeclaredRoute[] =>
  routes.map((route) =>
    route.operation !== "deleteAccountUser"
      ? route
      : {
          ...route,
          description: DESCRIPTION,
          query: "EraseQuery",
          handle: async (request: ApiRequest) => {
            const isErased = readFlag(request.query.get("erase"));
            if (isErased === null) return NOT_A_FLAG;
            return isErased ? removeAndErase(request, route.handle) : route.handle(request);
          },
        },
  );
