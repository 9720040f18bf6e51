// Undoes a change of a team: its fields, and the rotations that people left with it, in one commit.
import * as z from "zod";
import { restoreFields } from "../../../domain/oncall/changes/restored-fields.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { selectPresent } from "../../people/account-users/present-people.ts";
import { NOBODY_LEAVES } from "../teams/leave-schedule.ts";
import { RESTORED_FIELDS, RestoredTeam } from "../teams/parameters.ts";
import { teamRecords } from "../teams/team-records.ts";
import { PEOPLE_FIELDS } from "../teams/team-writes.ts";
import { updateTeam } from "../teams/verbs.ts";
import type { StoredChange } from "./rows.ts";
import { prepareUndo } from "./undo-events.ts";

const GONE = refuse(
  "conflict",
  "the schedule or the escalation policy that the team had before was deleted",
);

const LAST_LEFT = refuse(
  "conflict",
  "the team would be without members or admins: those it had before have left the account",
);

const Fields = z.record(z.string(), z.union([z.string(), z.array(z.string())]).nullable());
type Fields = z.output<typeof Fields>;

/** A stored image: lists are JSON texts in it. */
function readImage(text: string): Fields {
  const image = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const lists = PEOPLE_FIELDS.flatMap((name) => {
    const value = image[name];
    return typeof value === "string" ? [[name, JSON.parse(value)] as const] : [];
  });
  return Fields.parse({ ...image, ...Object.fromEntries(lists) });
}

/**
 * Decides to take back what a change did to a team's fields, and to the rotations of its schedule. People who
 * have left the account since stay out.
 *
 * @returns the change of the team; 404; 409 if a field was changed since, or what it named was deleted
 */
export async function undoTeam(
  context: Context,
  entry: StoredChange,
): Promise<Decision<"Team"> | Refusal> {
  const { db, actor } = context;
  const { accountId } = actor;
  const identifier = { form: "id", value: entry.recordId } as const;
  const before = readImage(entry.recordBefore ?? "{}");
  const named = PEOPLE_FIELDS.flatMap((name) => before[name] ?? []);
  const [[team], present] = await batch(db, [
    selectRecord(teamRecords, accountId, identifier),
    selectPresent(accountId, named),
  ]);
  if (!team) return notFound("team");
  const after = entry.recordAfter === null ? null : readImage(entry.recordAfter);
  const now = Fields.parse(
    Object.fromEntries(Object.entries(team).filter(([name]) => RESTORED_FIELDS.includes(name))),
  );
  const restored = restoreFields({ changed: entry.fields ?? [], before, after, now });
  if (!restored.ok) return refuse("conflict", `${restored.field} was changed since`);
  const here = new Set(present.map(({ id }) => id));
  const body = RestoredTeam.parse(restored.values);
  for (const name of PEOPLE_FIELDS) {
    const present = body[name]?.filter((id) => here.has(id) || now[name]?.includes(id));
    if (present) body[name] = present;
  }
  if ([body.member_account_user_ids, body.admin_account_user_ids].some((it) => it?.length === 0)) {
    return LAST_LEFT;
  }
  const events = entry.eventIds.length > 0 ? await prepareUndo(context, entry) : NOBODY_LEAVES;
  const updated = await updateTeam(context, identifier, body, events);
  return isRefusal(updated) && updated.reason === "invalid" ? GONE : updated;
}
