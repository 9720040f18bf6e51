// Acknowledges or rejects an alert by telephone: the same command as in the API, decided by the
// alert's object, with the result in words.
import type { SmsPage } from "../db/people/phone-rows.ts";
import { prefixIdOf } from "../domain/shared/identifiers.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { alertObject } from "../objects/shared/stubs.ts";

export type AnswerAction = "acknowledge" | "reject";

/** `why`: the reason of a refusal, as a sentence for the person. */
export type AnswerResult =
  | { readonly kind: "done"; readonly title: string }
  | { readonly kind: "refused"; readonly why: string };

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Acknowledges or rejects the alert. A refusal changes nothing. */
export async function answerAlert(
  env: Cloudflare.Env,
  { accountId, alertId, accountUserId, name }: SmsPage,
  action: AnswerAction,
): Promise<AnswerResult> {
  const object = alertObject(env, prefixIdOf("alert", alertId));
  const by = { accountUserId, name };
  const result = await object.command(accountId, { type: action, by }, "for_readers");
  if (!isRefusal(result)) return { kind: "done", title: result.alert.title };
  return { kind: "refused", why: sentence(result.errors[0]?.message ?? "it was refused") };
}
