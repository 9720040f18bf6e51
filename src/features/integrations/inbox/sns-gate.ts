// Admits messages from AWS SNS to an inbox: those of one topic, signed by AWS, recent, each once.
// Confirms a subscription by calling its SubscribeURL, which is trusted only in such a message.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { snsEnvelope } from "../../../products/cloud/sns.ts";
import type { InboundRequest, IntegrationType } from "../../../products/integration-type.ts";
import { type Payload, textAt } from "../../../products/reading/payload.ts";
import type { ForwardedRequest } from "../../rpc.ts";
import { fetchSns, snsAddress, snsFault } from "./sns-signature.ts";

/** Maximum age of a message (ms): longer than SNS retries a delivery. */
const MAX_AGE_MS = 3_600_000;

const SCHEMA = `
  create table if not exists sns_topic (one integer primary key check (one = 1), arn text not null);
  create table if not exists sns_messages (id text primary key, at integer not null) without rowid;
`;

const UNSIGNED = refuse(
  "unauthenticated",
  "only messages signed by AWS SNS are taken, and others with the integration's token",
);

/** `admitted`: process it and record `messageId`. `ignored`: genuine, but without effect. */
export type Admission =
  | { readonly kind: "admitted"; readonly messageId: string | null }
  | { readonly kind: "ignored"; readonly reason: string }
  | Refusal;

/** A request that presented the integration's token, if there is one. */
type CheckedRequest = {
  readonly type: IntegrationType;
  readonly inbound: InboundRequest;
  readonly configuration: Pick<IntegrationConfiguration, "tokenSha256">;
  readonly delivery: Pick<ForwardedRequest, "test">;
};

/** Checks a request to an integration that AWS SNS may send to; others need no admission. */
export async function admitRequest(
  storage: DurableObjectStorage,
  { type, inbound, configuration, delivery }: CheckedRequest,
  now: number,
): Promise<Admission> {
  // A test event has no signature of AWS: the API has authorized its sender, and no request from
  // outside can be one. It pins no topic, confirms no subscription and is not recorded as seen.
  if (!type.sns || delivery.test !== undefined) return { kind: "admitted", messageId: null };
  return admitSns(storage, snsEnvelope(inbound), configuration.tokenSha256 !== null, now);
}

async function admitSns(
  storage: DurableObjectStorage,
  envelope: Payload | null,
  hasToken: boolean,
  now: number,
): Promise<Admission> {
  if (envelope === null) return hasToken ? { kind: "admitted", messageId: null } : UNSIGNED;
  const fault = await snsFault(envelope, now);
  if (fault) return refuse(fault.unreachable ? "unavailable" : "unauthenticated", fault.message);
  const at = Date.parse(textAt(envelope, "Timestamp") ?? "");
  if (!(Math.abs(now - at) <= MAX_AGE_MS)) {
    return refuse("unauthenticated", "the SNS message is too old");
  }
  storage.sql.exec(SCHEMA);
  const topic = textAt(envelope, "TopicArn") ?? "";
  const [pinned] = storage.sql.exec<{ arn: string }>("select arn from sns_topic").toArray();
  if (pinned && pinned.arn !== topic) {
    return refuse("unauthenticated", "the SNS message is of another topic than the first");
  }
  const type = textAt(envelope, "Type");
  if (type === "SubscriptionConfirmation") {
    const refusal = await confirm(envelope);
    if (refusal) return refusal;
  }
  storage.sql.exec("insert or ignore into sns_topic values (1, ?)", topic);
  if (type !== "Notification") return { kind: "ignored", reason: `AWS SNS: ${type}` };
  const messageId = textAt(envelope, "MessageId") ?? "";
  const known = storage.sql.exec("select 1 from sns_messages where id = ?", messageId).toArray();
  return known.length === 0
    ? { kind: "admitted", messageId }
    : { kind: "ignored", reason: "this SNS message has been taken before" };
}

/** Records a processed message, in its result's commit, so that SNS may repeat a refused one. */
export function recordSnsMessage(
  storage: DurableObjectStorage,
  messageId: string,
  now: number,
): void {
  storage.sql.exec("delete from sns_messages where at < ?", now - 2 * MAX_AGE_MS);
  storage.sql.exec("insert or ignore into sns_messages values (?, ?)", messageId, now);
}

async function confirm(envelope: Payload): Promise<Refusal | null> {
  const address = snsAddress(textAt(envelope, "SubscribeURL"));
  if (address === null) return refuse("unauthenticated", "the SubscribeURL is not AWS's");
  try {
    if ((await fetchSns(address)).ok) return null;
  } catch {
    // Refused below: SNS sends the message again.
  }
  return refuse("unavailable", "the subscription could not be confirmed; send it again");
}
