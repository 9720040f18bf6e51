// What a person is told whose answer comes second: who answered the alert before, and when. Their own
// equal answer is confirmed. The same words for the API and every channel, which show the instant in
// them as a time of their own. Pure.
import { ANSWERED } from "../notifications/close-message.ts";
import { type Refusal, refuse } from "../shared/refusal.ts";
import { formatInstant } from "../shared/time.ts";
import type { Alert, LogEntry } from "./alert.ts";
import type { CommandAuthor } from "./commands.ts";

const VERBS = { acknowledge: "Acknowledged", reject: "Passed on", resolve: "Resolved" } as const;

type Answer = { readonly type: string; readonly by: CommandAuthor };

const isAnswer = (type: string): type is keyof typeof VERBS => Object.hasOwn(VERBS, type);

/** Longest line of the timeline that is repeated. */
const MAX_LINE = 200;

/** When the answers were given that the alert's state still shows (epoch ms); null: at any time. */
function instantsOf(type: keyof typeof VERBS, alert: Alert, by: string): readonly number[] | null {
  const { status, workflows, acknowledgedAt, resolvedAt, undoable } = alert;
  if (type === "resolve") return status === "resolved" && resolvedAt !== null ? [resolvedAt] : [];
  if (type === "acknowledge") {
    if (status === "resolved") return [];
    const ended = workflows.filter(({ state }) => state === "acknowledged");
    const times = ended.map(({ updatedAt }) => updatedAt);
    if (workflows.length === 0 && acknowledgedAt !== null) times.push(acknowledgedAt);
    // Of a snoozed alert no workflow changes.
    return undoable?.type === type && undoable.by === by ? [...times, undoable.at] : times;
  }
  const isRejected = ({ state, rejectedIds }: Alert["workflows"][number]) =>
    state !== "acknowledged" && state !== "cancelled" && rejectedIds.includes(by);
  return workflows.some(isRejected) ? null : [];
}

/** The author's own answer of the same kind, if the alert's state still shows it. */
function ownAnswer(
  type: keyof typeof VERBS,
  { accountUserId: id, name }: CommandAuthor,
  alert: Alert,
  timeline: readonly LogEntry[],
): LogEntry | undefined {
  if (id === null) return undefined;
  const line = `${VERBS[type]} by ${name}`;
  const instants = instantsOf(type, alert, id);
  // The timeline has names alone; of the latest answer the alert knows whose it is.
  const isNamesake = (at: number) => alert.undoable?.at === at && alert.undoable.by !== id;
  return timeline.findLast(
    ({ at, message }) =>
      (message === line || message.startsWith(`${line} for `)) &&
      (instants === null || instants.includes(at)) &&
      !isNamesake(at),
  );
}

/**
 * The refusal of an answer, with who was first and when. Has `done` if the author gave the same answer
 * before, so that what they want is true already.
 */
export function explainAnswer(
  refusal: Refusal,
  { type, by }: Answer,
  alert: Alert | null,
  timeline: readonly LogEntry[],
): Refusal {
  if (!isAnswer(type) || refusal.reason !== "conflict" || alert === null) return refusal;
  const own = ownAnswer(type, by, alert, timeline);
  const first = own ?? timeline.findLast(({ message }) => ANSWERED.test(message));
  if (first === undefined) return refusal;
  const at = formatInstant(first.at);
  const line = `${first.message.slice(0, MAX_LINE)} at ${at}`;
  const explained = refuse("conflict", `${refusal.errors[0]?.message}. ${line}`);
  if (own === undefined) return explained;
  return { ...explained, done: `${VERBS[type]}, already by you at ${at}` };
}
