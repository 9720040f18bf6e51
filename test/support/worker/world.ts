// Test data for paging: people with keys, a team with escalation layers, and an integration.
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { integrationReceivers, integrations } from "../../../src/features/schema/integrations.ts";
import { accountUsers, apiKeys, userEmails, users } from "../../../src/features/schema/people.ts";
import { newApiKey } from "../../../src/kernel/credentials.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { type Account, call, type Reply } from "../api/api.ts";

export type Person = {
  readonly accountUserId: string;
  readonly key: string;
  readonly email: string;
};

let people = 0;

/**
 * Creates a member of an account with a key. `email` null = no address. Without `shiftNotices`, they
 * are not notified of changes of their shifts, which would reach a later test two minutes after.
 */
export async function makePerson(
  account: Account,
  name: string,
  options: { email?: string | null; admin?: boolean; shiftNotices?: boolean } = {},
): Promise<Person> {
  people += 1;
  const now = Date.now();
  const email = options.email === undefined ? `person.${people}.${now}@example.com` : options.email;
  const { shiftNotices = false } = options;
  const user = { ...newIdentity("user", now), name, shiftNotices };
  const member = {
    ...newIdentity("account_user", now),
    accountId: account.accountId,
    userId: user.id,
    admin: options.admin ?? false,
  };
  const { key, keyHash } = newApiKey(env.LINK_SECRET);
  const apiKey = {
    ...newIdentity("api_key", now),
    accountId: account.accountId,
    accountUserId: member.id,
    keyHash,
    selfMade: true,
  };
  const address = email && {
    ...newIdentity("email", now),
    userId: user.id,
    email,
    primary: true,
    verifiedAt: now,
  };
  await env.DB.batch(
    [
      build.insert(users).values(user),
      ...(address ? [build.insert(userEmails).values(address)] : []),
      build.insert(accountUsers).values(member),
      build.insert(apiKeys).values(apiKey),
    ].map((query) => statement(env.DB, query)),
  );
  return { accountUserId: member.id, key, email: email ?? "" };
}

/** Creates an event: people on call on a layer from yesterday until tomorrow. */
export async function putOnCall(
  account: Account,
  scheduleId: string,
  layer: number,
  accountUserIds: readonly string[],
): Promise<string> {
  const { status, body, text } = await account.api("POST", "/events", {
    start_datetime: new Date(Date.now() - 86_400_000).toISOString(),
    end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
    layer,
    time_zone: "UTC",
    schedule_ids: [scheduleId],
    account_user_ids: accountUserIds,
  });
  if (status !== 201) throw new Error(text);
  return body.id;
}

export type Team = {
  readonly id: string;
  readonly scheduleId: string;
  readonly policyId: string;
};

/**
 * Creates a team with these layers: time-outs in seconds, and the people on call on each. Nobody is
 * notified of its gaps.
 */
export async function makeTeam(
  account: Account,
  layers: readonly { seconds: number; people: readonly string[] }[],
  options: { repeat?: number; name?: string } = {},
): Promise<Team> {
  const members = [...new Set([account.accountUserId, ...layers.flatMap((it) => it.people)])];
  const { status, body, text } = await account.api("POST", "/teams", {
    name: options.name ?? "Payments",
    gap_notifications: "none",
    member_account_user_ids: members,
    admin_account_user_ids: [account.accountUserId],
  });
  if (status !== 201) throw new Error(text);
  const policyId = body.escalation_policy_id;
  const statements = [
    env.DB.prepare("delete from escalation_layers where escalation_policy_id = ?").bind(policyId),
    env.DB.prepare("update escalation_policies set repeat = ? where id = ?").bind(
      options.repeat ?? 0,
      policyId,
    ),
    ...layers.map(({ seconds }, i) => {
      const { id, prefixId, createdAt } = newIdentity("escalation_layer", Date.now());
      return env.DB.prepare(
        `insert into escalation_layers (id, prefix_id, created_at, updated_at, account_id, escalation_policy_id,
          layer, timeout, timeout_unit) values (?, ?, ?, ?, ?, ?, ?, ?, 'seconds')`,
      ).bind(id, prefixId, createdAt, createdAt, account.accountId, policyId, i + 1, seconds);
    }),
  ];
  await env.DB.batch(statements);
  for (const [i, { people: ids }] of layers.entries()) {
    if (ids.length > 0) await putOnCall(account, body.schedule_id, i + 1, ids);
  }
  return { id: body.id, scheduleId: body.schedule_id, policyId };
}

export type Integration = {
  readonly id: string;
  readonly prefixId: string;
  /** Posts a webhook. */
  readonly send: (body: unknown, headers?: Record<string, string>) => Promise<Reply>;
};

/** Creates an integration whose destinations are teams and routers. */
export async function makeIntegration(
  account: Account,
  teamIds: readonly string[],
  options: {
    type?: string;
    token?: string;
    enabled?: boolean;
    urgency?: "high" | "low";
    capture?: boolean;
    acceptsGet?: boolean;
    /** More options, by key. */
    kept?: Readonly<Record<string, unknown>>;
    routerIds?: readonly string[];
  } = {},
): Promise<Integration> {
  const now = Date.now();
  const row = {
    ...newIdentity("integration", now),
    accountId: account.accountId,
    name: "Monitoring",
    enabled: options.enabled ?? true,
    urgency: options.urgency ?? ("high" as const),
    integrationType: options.type ?? "webhook",
    options: { ...(options.capture && { capture_additional_data: true }), ...options.kept },
    secrets: options.token
      ? { token_sha256: createHash("sha256").update(options.token).digest("hex") }
      : {},
    intakeKey: "0".repeat(32),
    acceptsGet: options.acceptsGet ?? options.type === "heartbeat",
  };
  const receiversOf = (receiverType: "team" | "router", ids: readonly string[]) =>
    ids.map((receiverId, position) => ({
      accountId: account.accountId,
      integrationId: row.id,
      receiverType,
      receiverId,
      position,
    }));
  const receivers = [
    ...receiversOf("team", teamIds),
    ...receiversOf("router", options.routerIds ?? []),
  ];
  await env.DB.batch(
    [
      build.insert(integrations).values(row),
      build.insert(integrationReceivers).values(receivers),
    ].map((query) => statement(env.DB, query)),
  );
  return {
    id: row.id,
    prefixId: row.prefixId,
    send: (body, headers) =>
      call("POST", `/integration/${row.prefixId}`, { body, ...(headers && { headers }) }),
  };
}
