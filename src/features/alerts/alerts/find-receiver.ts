import type { PersonActor } from "../../../domain/access/actor.ts";
import {
  firstWordOf,
  type NamedReceiver,
  readReceiver,
} from "../../../domain/people/receiver-name.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectReceivers } from "../../people/account-users/receiver-names.ts";

/** The most receivers whose names contain the first word. */
const MAX_RECEIVERS = 500;

const NOBODY = refuse("invalid", "no team and no person has this name");

/**
 * Finds the team or active member with a name, without regard to case.
 *
 * @returns 422 if nobody or several have it
 */
export async function findReceiver(
  { db, actor }: Context<PersonActor>,
  name: string,
): Promise<NamedReceiver | Refusal> {
  const query = selectReceivers(actor.accountId, firstWordOf(name), MAX_RECEIVERS);
  const quoted = `"${name.replace(/["“”]/g, "")}"`;
  const read = readReceiver(quoted, await all(db, query));
  if (read.kind === "found") return read.receiver;
  if (read.kind === "none") return NOBODY;
  return refuse("invalid", `several teams or people are called ${read.name.slice(0, 100)}`);
}
