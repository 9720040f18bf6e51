// The messages of a batch by their kind. Those that this version does not understand, because a newer
// one has sent them, go back to the queue, and then wait among the dead letters, until that version
// consumes them. One that has not the shape of its kind can be handled by no version: it is dropped,
// with a log entry, and taken for nothing else. If it is a page, its sender sends it again.
import { type AccessMailMessage, isAccessMailMessage } from "../../../domain/access/access-mail.ts";
import {
  isSecurityMailMessage,
  type SecurityMailMessage,
} from "../../../domain/access/security-notice.ts";
import { type CloseMessage, isCloseMessage } from "../../../domain/notifications/close-message.ts";
import {
  isPageMessage,
  isReleaseMessage,
  type PageMessage,
  type ReleaseMessage,
} from "../../../domain/notifications/page.ts";
import {
  isRepeatCallMessage,
  type RepeatCallMessage,
} from "../../../domain/notifications/repeat-call.ts";
import {
  isUnconfirmedMessage,
  isUndeliveredMessage,
  type UnconfirmedMessage,
  type UndeliveredMessage,
} from "../../../domain/notifications/undelivered.ts";
import { isProbeMessage, type ProbeMessage } from "../../../domain/operations/probe.ts";
import {
  isSmsProofMessage,
  type SmsProofMessage,
} from "../../../domain/operations/sms-proof-message.ts";
import { isWelcomeMessage, type WelcomeMessage } from "../../../domain/people/welcome.ts";
import { type MessageKind, readableKind } from "../../../domain/shared/message-versions.ts";
import { MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { counted } from "../../../kernel/metrics/counted.ts";

/** The pause before the next delivery: 20 minutes with the queue's 20 retries. */
const RETRY_SECONDS = MINUTE / SECOND;
/** The same for dead letters: a day with their 100 retries. */
const DEAD_RETRY_SECONDS = (15 * MINUTE) / SECOND;

type Bodies = {
  readonly page: PageMessage;
  readonly release: ReleaseMessage;
  readonly welcome: WelcomeMessage;
  readonly accessMail: AccessMailMessage;
  readonly securityMail: SecurityMailMessage;
  readonly probe: ProbeMessage;
  readonly smsProof: SmsProofMessage;
  readonly undelivered: UndeliveredMessage;
  readonly unconfirmed: UnconfirmedMessage;
  readonly close: CloseMessage;
  readonly repeatCall: RepeatCallMessage;
};

/** A message of a kind. */
export type ReceivedOf<Kind extends MessageKind> = {
  readonly kind: Kind;
  readonly body: Bodies[Kind];
  /** As the queue delivered it: to be acknowledged or retried. */
  readonly message: Message<unknown>;
};

/** A message of any kind. */
export type Received = { [Kind in MessageKind]: ReceivedOf<Kind> }[MessageKind];

/** A message of the kind; null if its body has not the shape. */
type Read<Kind extends MessageKind> = (message: Message<unknown>) => ReceivedOf<Kind> | null;

function reads<Kind extends MessageKind>(
  kind: Kind,
  isBody: (body: unknown) => body is Bodies[Kind],
): Read<Kind> {
  return (message) => (isBody(message.body) ? { kind, body: message.body, message } : null);
}

const READS: { readonly [Kind in MessageKind]: Read<Kind> } = {
  page: reads("page", isPageMessage),
  release: reads("release", isReleaseMessage),
  welcome: reads("welcome", isWelcomeMessage),
  accessMail: reads("accessMail", isAccessMailMessage),
  securityMail: reads("securityMail", isSecurityMailMessage),
  probe: reads("probe", isProbeMessage),
  smsProof: reads("smsProof", isSmsProofMessage),
  undelivered: reads("undelivered", isUndeliveredMessage),
  unconfirmed: reads("unconfirmed", isUnconfirmedMessage),
  close: reads("close", isCloseMessage),
  repeatCall: reads("repeatCall", isRepeatCallMessage),
};

/** Returns the messages that can be handled. Those of newer versions are retried later. */
export function readMessages(
  batch: Pick<MessageBatch<unknown>, "messages">,
  isDead = false,
): Received[] {
  return batch.messages.flatMap((message) => {
    const { id, body } = message;
    const kind = readableKind(body);
    const received = kind && READS[kind](message);
    if (received) return [received];
    counted.count("tocsin_queue_failures_total", {});
    // Every version's messages are objects.
    if (kind === null && typeof body === "object" && body !== null) {
      console.error({ message: "a queue message is of an unknown kind or version", id });
      message.retry({ delaySeconds: isDead ? DEAD_RETRY_SECONDS : RETRY_SECONDS });
    } else {
      console.error({ message: "a queue message has not the shape of its kind", id, kind });
      message.ack();
    }
    return [];
  });
}
