// What the stand-ins of Vonage and Telnyx have in common: they accept messages and calls as the
// real APIs do, and send signed callbacks.
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { call, type Reply } from "../api/api.ts";

export type TakenByPhone = {
  readonly kind: "sms" | "call";
  readonly to: string;
  /** The text, or what is read out. */
  readonly text: string;
  readonly id: string;
  readonly statusUrl: string;
  /** Where the digit goes; empty for a message. */
  readonly answerUrl: string;
};

export type PhoneStandIn = {
  readonly name: "vonage" | "telnyx";
  readonly title: string;
  /** Accepted requests. */
  readonly taken: TakenByPhone[];
  /** The calls that were hung up, by their ids. */
  readonly ended: string[];
  /** Number of requests. */
  asked: number;
  /** The response instead of accepting; null = accept. */
  refusal: (() => Response | Promise<Response>) | null;
  /** The responses to refuse with. */
  readonly refusals: { readonly outage: () => Response; readonly badNumber: () => Response };
  /** The words for a delivered message, an undelivered one, and a call that nobody answered. */
  readonly words: Readonly<Record<"delivered" | "undelivered" | "unanswered", string>>;
  readonly report: (taken: TakenByPhone, word: string) => Promise<Reply>;
  readonly text: (from: string, text: string) => Promise<Reply>;
  readonly press: (taken: TakenByPhone, digit: string) => Promise<Reply>;
  /** A delivery report that somebody else signed. */
  readonly forge: (taken: TakenByPhone) => Promise<Reply>;
};

/** Gives the deployment variables and secrets until the test's mocks are restored. */
export function configure(settings: Partial<Cloudflare.Env>): void {
  for (const [name, value] of Object.entries(settings)) {
    vi.spyOn(env, name as "VONAGE_FROM", "get").mockReturnValue(String(value) as "");
  }
}

/** Posts a callback to the deployment. */
export const post = (url: string, body: string, headers: Readonly<Record<string, string>>) =>
  call("POST", url.replace("https://tocsin.test", ""), { body, headers });

let ids = 0;

/** A unique UUID. */
export function newUuid(): string {
  ids += 1;
  return `aaaaaaaa-bbbb-4ccc-8ddd-${String(ids).padStart(12, "0")}`;
}
