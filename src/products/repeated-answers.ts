// Which answers of the receiver a sender repeats its request after (contract 3, Answers of the
// receiver). A type that differs from most states `repeats`, with its source.
import type { IntegrationType, RepeatedAnswer } from "./integration-type.ts";

/**
 * Alertmanager's webhooks repeat 5xx alone (prometheus/alertmanager, notify/webhook), and most
 * services that document their webhooks repeat at least those.
 */
const USUAL: readonly RepeatedAnswer[] = ["5xx"];

/** What curl repeats with `--retry`, by its manual: also what needs no other client. */
export const CURL_RETRIES: readonly RepeatedAnswer[] = [408, 429, 500, 502, 503, 504];

/** The answers that the senders of a type repeat; empty: none. */
export const repeatedAnswers = ({ repeats = USUAL }: Pick<IntegrationType, "repeats">) => repeats;

/** Whether the senders of a type repeat a request that is answered so. */
export function isRepeated(type: Pick<IntegrationType, "repeats">, status: number): boolean {
  const group = `${Math.floor(status / 100)}xx`;
  return repeatedAnswers(type).some((answer) => answer === status || answer === group);
}
