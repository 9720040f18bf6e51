// Parses SMS replies (contract 6, Channels): `A` or `R`, with a page's code when several are open; a
// broadcast's code and option number; and the keywords that stop and start all messages. Pure.
import { parseIdentifier, randomHexOf } from "../../shared/identifiers.ts";

export type SmsReply =
  /** `code` null: refers to the only open page. */
  | {
      readonly kind: "answer";
      readonly action: "acknowledge" | "reject";
      readonly code: string | null;
    }
  | { readonly kind: "option"; readonly code: string; readonly option: number }
  | { readonly kind: "stop" | "start" | "unknown" };

/** The keywords that carriers and Twilio recognize. */
const STOP = new Set("STOP STOPALL STOP-ALL UNSUBSCRIBE CANCEL END QUIT OPTOUT REVOKE".split(" "));
const START = new Set("START UNSTOP YES".split(" "));
const ACKNOWLEDGE = new Set(["A", "ACK", "ACKNOWLEDGE"]);
const REJECT = new Set(["R", "REJ", "REJECT"]);

const actionOf = (word: string) => {
  if (ACKNOWLEDGE.has(word)) return "acknowledge" as const;
  return REJECT.has(word) ? ("reject" as const) : null;
};

const isCode = (word: string | undefined): word is string => /^\d{4}$/.test(word ?? "");

/** Parses a reply, ignoring spacing, case and punctuation. */
export function readReply(text: string): SmsReply {
  const words = text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[.,;:!?"'#()]+/g, " ")
    .trim()
    // Read "A4821" as "A 4821".
    .replace(/^([A-Z]+)(\d{4})$/, "$1 $2")
    .split(/\s+/);
  const [first = "", second] = words;
  if (words.length === 1 && STOP.has(first)) return { kind: "stop" };
  if (words.length === 1 && START.has(first)) return { kind: "start" };
  if (words.length > 2) return { kind: "unknown" };
  const action = actionOf(first) ?? (second === undefined ? null : actionOf(second));
  const code = [first, second].find(isCode) ?? null;
  if (action !== null && (words.length === 1 || code !== null)) {
    return { kind: "answer", action, code };
  }
  if (isCode(first) && /^\d{1,2}$/.test(second ?? "")) {
    return { kind: "option", code: first, option: Number(second) };
  }
  return { kind: "unknown" };
}

/**
 * The four-digit code that identifies an alert or a broadcast among a person's open ones. Derived
 * from the id, so nothing is stored. Codes can collide: the reader must check for a unique match.
 */
export function answerCode(id: string): string {
  const identifier = parseIdentifier("alert", id);
  const random = identifier === null ? 0 : Number.parseInt(randomHexOf(identifier).slice(0, 8), 16);
  return String(random % 10_000).padStart(4, "0");
}
