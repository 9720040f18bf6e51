// A person's answer to an alert, given by telephone: the same command that the API gives, decided in the alert's
// object, and what came of it in words.
import type { SmsPage } from "../db/phone-rows.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { isRefusal } from "../domain/refusal.ts";
import { alertObject } from "../objects/stubs.ts";

export type AnswerAction = "acknowledge" | "reject";

/** `refused` says why, in words for the person. */
export type Answered =
  | { readonly kind: "done"; readonly title: string }
  | { readonly kind: "refused"; readonly why: string };

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Gives the answer. Nothing has changed where it is refused. */
export async function answerAlert(
  env: Cloudflare.Env,
  { accountId, alertId, accountUserId, name }: SmsPage,
  action: AnswerAction,
): Promise<Answered> {
  const object = alertObject(env, prefixIdOf("alert", alertId));
  const by = { accountUserId, name };
  const result = await object.command(accountId, { type: action, by }, "for_readers");
  if (!isRefusal(result)) return { kind: "done", title: result.alert.title };
  return { kind: "refused", why: sentence(result.errors[0]?.message ?? "it was refused") };
}
