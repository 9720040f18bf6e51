// A person who belongs to two accounts, and how each account can reach them.
import { env, exports } from "cloudflare:workers";
import { planNotification } from "../../../src/domain/notifications/notification-plan.ts";
import type { Channel } from "../../../src/domain/people/contact.ts";
import { readRecipients } from "../../../src/features/people/contacts/recipient-rows.ts";
import { actionLink } from "../../../src/kernel/links.ts";
import { type Account, call } from "../api/api.ts";
import { addColleague, type Colleague } from "./people.ts";

const EVERY_CHANNEL: ReadonlySet<Channel> = new Set(["push", "email", "sms", "voice"]);

/** The person's notification plan in an account, by the code of the queue consumer. */
export async function reachOf(accountId: string, accountUserId: string) {
  const page = { effectId: "plan", accountUserId, workflowId: null };
  const known = (await readRecipients(env.DB, [{ accountId, alert: null, page }])).get("plan");
  const person = known?.person ?? null;
  const at = Date.UTC(2030, 0, 1);
  const plan = planNotification({
    page: { event: "alert.open", at, until: null },
    urgency: "high",
    view: {},
    person,
    rule: known?.rule ?? null,
    available: EVERY_CHANNEL,
  });
  const stages = plan.kind === "stages" ? plan.stages : plan.kind;
  const pushed = await env.DB.prepare(
    "select endpoint from push_subscriptions where account_user_id = ? order by endpoint",
  )
    .bind(accountUserId)
    .all<{ endpoint: string }>();
  return { person, stages, pushed: pushed.results.map(({ endpoint }) => endpoint) };
}

/** The addresses and numbers that the plan uses, each once. */
export async function contactsOf(accountId: string, accountUserId: string): Promise<string[]> {
  const { stages } = await reachOf(accountId, accountUserId);
  if (typeof stages === "string") return [];
  const all = stages.flatMap(({ contacts }) =>
    contacts.map(({ channel, to }) => `${channel}:${to}`),
  );
  return [...new Set(all)];
}

/** Approves a pending invitation by its link. */
export async function approve(accountId: string, accountUserId: string): Promise<void> {
  const subject = { accountId, recordId: accountUserId, accountUserId };
  const link = await actionLink(env, { ...subject, purpose: "invitation" }, Date.now());
  if (link === null) throw new Error("the tests have no links");
  const response = await exports.default.fetch(
    new URL(new URL(link).pathname, "https://tocsin.test"),
    {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "action=approve",
    },
  );
  if (response.status !== 200) throw new Error(await response.text());
  await response.text();
}

/** Invites an existing person and approves; returns the id of the new membership. */
export async function join(account: Account, email: string): Promise<string> {
  const invited = await account.api("POST", "/users", { name: "Invited", email });
  if (invited.status !== 201 || invited.body.state !== "pending") throw new Error(invited.text);
  await approve(account.accountId, invited.body.account_user_id);
  return invited.body.account_user_id;
}

export type Shared = Colleague & { readonly ids: { readonly home: string; readonly away: string } };

/** Creates a member of `home` who also joins `away`. */
export async function makeShared(
  home: Account,
  away: Account,
  name = "Vic Victim",
): Promise<Shared> {
  const person = await addColleague(home, name);
  const joined = await join(away, person.email);
  return { ...person, ids: { home: person.id, away: joined } };
}

/** Creates a key for an account user by the API. */
export async function keyFor(
  maker: Account["api"],
  accountUserId: string,
  more: Record<string, unknown> = {},
): Promise<Account["api"]> {
  const made = await maker("POST", "/api_keys", { account_user_id: accountUserId, ...more });
  if (made.status !== 201) throw new Error(made.text);
  return (method, path, body, headers) =>
    call(method, `/api/v4${path}`, {
      key: made.body.key,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
}
