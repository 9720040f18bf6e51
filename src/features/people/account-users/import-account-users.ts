import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdOf } from "../../../kernel/db/identifiers.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import { selectMembersWith } from "../users/person-rows.ts";
import { referencesOf } from "./account-user-input.ts";
import type { AccountUserImport, ImportedPerson } from "./contract.ts";
import { createAccountUser } from "./create-account-user.ts";
import { CreateAccountUser, type ImportAccountUsers } from "./parameters.ts";

type PersonEntry = ImportAccountUsers["people"][number];
type Result = ImportedPerson;

/** The request that adds one of the people; null with what is wrong with the entry. */
function requestOf({ email, name }: PersonEntry, { people: _, ...shared }: ImportAccountUsers) {
  const address = email.trim();
  const parsed = CreateAccountUser.safeParse({
    ...shared,
    user_attributes: {
      name: name?.trim() || address.split("@", 1)[0],
      emails_attributes: [{ email: address, primary: true }],
    },
  });
  return parsed.success ? { request: parsed.data } : { message: parsed.error.issues[0]?.message };
}

/**
 * Adds several people to the account, one after the other. An entry that cannot be added stops no
 * other; who is a member already is left as they are, so that an import can be repeated.
 *
 * @returns a result per entry; 422 for unknown teams or an unknown rule, before anybody is added
 */
export async function importAccountUsers(
  context: Context<MemberActor>,
  body: ImportAccountUsers,
): Promise<AccountUserImport | Refusal> {
  const { db, actor, now } = context;
  const addresses = body.people.map(({ email }) => email.trim().toLowerCase());
  const { resolved, rows } = await resolveWith(db, actor.accountId, referencesOf(body), [
    selectMembersWith(actor.accountId, addresses),
  ]);
  if (!resolved.ok) return refuseFields(resolved.errors);
  const [known] = rows;
  const seen = new Set<string>();
  const importOne = async (entry: PersonEntry): Promise<Result> => {
    const address = entry.email.trim().toLowerCase();
    const result = { email: entry.email, account_user_id: null, message: null };
    if (seen.has(address)) return { ...result, status: "repeated" };
    seen.add(address);
    const member = known.find(({ email }) => email === address);
    if (member) {
      const status = member.state === "active" ? "member" : "pending";
      return { ...result, status, account_user_id: member.accountUserId };
    }
    const { request, message } = requestOf(entry, body);
    if (!request) return { ...result, status: "invalid", message: message ?? null };
    const added = await createAccountUser(context, newIdOf("account_user", now), request);
    if (!isRefusal(added)) return { ...result, status: "added", account_user_id: added.id };
    const why = added.errors.map((error) => error.message).join("; ");
    return { ...result, status: "refused", message: why };
  };
  const results: Result[] = [];
  for (const entry of body.people) results.push(await importOne(entry));
  return { added_count: results.filter(({ status }) => status === "added").length, results };
}
