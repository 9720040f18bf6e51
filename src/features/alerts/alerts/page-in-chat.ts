import type { PersonActor } from "../../../domain/access/actor.ts";
import { firstWordOf, readReceiver } from "../../../domain/people/receiver-name.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectReceivers } from "../../people/account-users/receiver-names.ts";
import type { Alert } from "./contract.ts";
import { CreateAlert } from "./parameters.ts";
import { createAlert } from "./verbs.ts";

/** The most receivers whose names contain the first word of the command. */
const MAX_RECEIVERS = 500;

/** A person who pages somebody by hand wants them now. */
const URGENCY = "high";

const USAGE = refuse("invalid", "write /page, the name of a team or person, and the title");
const NO_TITLE = refuse("invalid", "the title is missing after the name");
const TOO_LONG = refuse("invalid", "the title is longer than 1024 characters");
const NOBODY = refuse("invalid", "no team and no person has this name; put a long name in quotes");

/**
 * Creates an alert for the team or person that a command names, as the actor.
 *
 * @param id the ULID of the new alert; a repeated command with the same one counts once
 * @param text the name, and the title after it
 * @param person the id of the account user whom the text mentions by their account in the chat
 * @returns the alert; 422 for a text that names nobody, or without a title; 503
 */
export async function pageInChat(
  context: Context<PersonActor>,
  id: string,
  text: string,
  person: string | null,
): Promise<Alert | Refusal> {
  if (text === "") return USAGE;
  if (person !== null) {
    const title = text.replace(/^\S+\s*/, "");
    return create(context, id, title, { destination_account_user_ids: [person] });
  }
  const { db, actor } = context;
  const query = selectReceivers(actor.accountId, firstWordOf(text), MAX_RECEIVERS);
  const read = readReceiver(text, await all(db, query));
  if (read.kind === "none") return NOBODY;
  if (read.kind === "several") {
    return refuse("invalid", `several teams or people are called ${read.name.slice(0, 100)}`);
  }
  const { receiver, rest } = read;
  const destinations =
    receiver.type === "team"
      ? { destination_team_ids: [receiver.id] }
      : { destination_account_user_ids: [receiver.id] };
  return create(context, id, rest, destinations);
}

async function create(
  context: Context<PersonActor>,
  id: string,
  written: string,
  destinations: Pick<CreateAlert, "destination_team_ids" | "destination_account_user_ids">,
): Promise<Alert | Refusal> {
  const title = written.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (title === "") return NO_TITLE;
  const body = CreateAlert.safeParse({ title, urgency: URGENCY, ...destinations });
  return body.success ? createAlert(context, id, body.data) : TOO_LONG;
}
