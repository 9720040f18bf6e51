// What providers answered to messages, in the order of the messages: isolates report it some seconds later, each for
// itself. So every answer has the instant at which the provider was given its message, and reports may be merged in any
// order. Pure.

/** What a provider answered to a message. `permanent`: the recipient is at fault, which says nothing of the provider. */
export type MessageOutcome = "sent" | "temporary" | "permanent" | "refused" | "credentials";

/** A provider's answers since it last accepted a message. Instants in epoch ms, at which it was given the messages. */
export type AnswerTimes = {
  /** Null: it has accepted none. */
  readonly acceptedAt: number | null;
  /** Messages not accepted since, for a cause that may pass or for one of ours: the latest, in order. */
  readonly failedAt: readonly number[];
  /** The latest since for which it refused our credentials. */
  readonly credentialsAt: number | null;
};

/** By `providerKey`. */
export type ProviderAnswers = Readonly<Record<string, AnswerTimes>>;

export const NO_ANSWERS: AnswerTimes = { acceptedAt: null, failedAt: [], credentialsAt: null };

/** Refusals of messages in a row that break a provider, of which no more are kept; of our credentials, one does. */
export const MAX_REFUSALS = 3;

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/**
 * The answers of both. Of messages that were given at the same instant, as those of one batch are, an accepted one shows
 * that the provider accepts.
 */
export function mergeAnswers(one: AnswerTimes, other: AnswerTimes): AnswerTimes {
  const acceptedAt = latest(one.acceptedAt, other.acceptedAt);
  const isSince = (at: number) => acceptedAt === null || at > acceptedAt;
  const failedAt = [...one.failedAt, ...other.failedAt].filter(isSince).sort((a, b) => a - b);
  const credentialsAt = latest(one.credentialsAt, other.credentialsAt);
  return {
    acceptedAt,
    failedAt: failedAt.slice(-MAX_REFUSALS),
    credentialsAt: credentialsAt !== null && isSince(credentialsAt) ? credentialsAt : null,
  };
}

/** When the latest message was given that was not accepted (epoch ms); null: all since were. */
export const refusedAtOf = ({ failedAt, credentialsAt }: AnswerTimes): number | null =>
  latest(failedAt.at(-1) ?? null, credentialsAt);

/** The answers, none of them later than `now` (epoch ms): a later one is of a clock that was set back. */
export const answersUntil = (
  { acceptedAt, failedAt, credentialsAt }: AnswerTimes,
  now: number,
): AnswerTimes => ({
  acceptedAt: acceptedAt && Math.min(acceptedAt, now),
  failedAt: failedAt.map((at) => Math.min(at, now)),
  credentialsAt: credentialsAt && Math.min(credentialsAt, now),
});

function answersOf(outcome: MessageOutcome, at: number): AnswerTimes | null {
  switch (outcome) {
    case "sent":
      return { ...NO_ANSWERS, acceptedAt: at };
    case "temporary":
    case "refused":
      return { ...NO_ANSWERS, failedAt: [at] };
    case "credentials":
      return { ...NO_ANSWERS, credentialsAt: at };
    case "permanent":
      return null;
  }
}

/** Collects answers. */
export class AnswerLog {
  #values: Record<string, AnswerTimes> = {};

  get values(): ProviderAnswers {
    return this.#values;
  }

  /** Adds the answer to a message that the provider with this key was given at `at` (epoch ms). */
  add(key: string, outcome: MessageOutcome, at: number): void {
    const answers = answersOf(outcome, at);
    if (answers !== null) this.merge({ [key]: answers });
  }

  /** Adds others. */
  merge(values: ProviderAnswers): void {
    for (const [key, answers] of Object.entries(values)) {
      this.#values[key] = mergeAnswers(this.#values[key] ?? NO_ANSWERS, answers);
    }
  }

  /** Takes everything: the log is empty again. */
  take(): ProviderAnswers {
    const taken = this.#values;
    this.#values = {};
    return taken;
  }
}
