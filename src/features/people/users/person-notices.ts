// Notices that email a person about changes to their data (contract 1, People), and their writes.
import type { SQLWrapper } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { SecurityNotice } from "../../../domain/access/security-notice.ts";
import { securityNotices } from "../../access/sessions/security-notices.ts";
import type { Context } from "../../change/context.ts";
import type { UpdateUser } from "./parameters.ts";
import { assertMayChangePerson } from "./person-access.ts";
import type { Flags, UserPerson } from "./rows.ts";

const SETTINGS = ["push", "email", "sms", "voice", "voice_repeat"] as const;

/** The notice of changed notification channels; none when they stay unchanged. */
export function settingsNotice(before: Flags, parameters: UpdateUser): SecurityNotice[] {
  const changes = SETTINGS.flatMap((channel) => {
    const after = parameters[`notify_${channel}`];
    return after === undefined || after === before[channel]
      ? []
      : [`${channel.replace("_", " ")} ${after ? "on" : "off"}`];
  });
  return changes.length === 0 ? [] : [{ kind: "notify", detail: changes.join(", ") }];
}

/**
 * The notice of changed roles; none when they stay unchanged, or while the membership is pending.
 */
export function rolesNotice(
  { roles, state }: UserPerson,
  requested: Readonly<Record<string, boolean | undefined>> | null | undefined,
): SecurityNotice[] {
  const changes = Object.entries(requested ?? {}).flatMap(([role, after]) =>
    after === undefined || after === roles[role] ? [] : [`${role} ${after ? "added" : "removed"}`],
  );
  const isNotified = changes.length > 0 && state === "active";
  return isNotified ? [{ kind: "roles", detail: changes.join(", ") }] : [];
}

/**
 * The writes that change a person, with the precondition that the actor may still change them, and
 * with the notices of these and other changes to the membership.
 *
 * @param personal null when the person's own data does not change
 */
export async function guardedWrites(
  { env, actor, now }: Context<MemberActor>,
  person: UserPerson,
  personal: { notices: readonly SecurityNotice[]; writes: readonly SQLWrapper[] } | null,
  more: readonly SecurityNotice[] = [],
): Promise<SQLWrapper[]> {
  const about = { userId: person.userId, accountId: actor.accountId, byUserId: actor.userId };
  const notices = [...(personal?.notices ?? []), ...more];
  return [
    ...(personal === null ? [] : assertMayChangePerson(actor, person)),
    ...(await securityNotices(env, about, notices, now)),
    ...(personal?.writes ?? []),
  ];
}
