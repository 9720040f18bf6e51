// Parses SMS replies (contract 6, Channels): `A`, `P` or `R` and the code of a message; a broadcast's code and
// option number; and the keywords that stop and start all messages. Pure.

export type SmsReply =
  /** `codes`: what may be a code, in order; people add words, and phones quote and sign. */
  | {
      readonly kind: "answer";
      readonly action: "acknowledge" | "reject";
      readonly codes: readonly string[];
    }
  | { readonly kind: "option"; readonly code: string; readonly option: number }
  | { readonly kind: "stop" | "start" | "unknown" };

/** The keywords that carriers and Twilio recognize, and `STOP ALL`. */
const STOP = new Set("STOP STOPALL UNSUBSCRIBE CANCEL END QUIT OPTOUT REVOKE".split(" "));
const START = new Set("START UNSTOP YES".split(" "));
const ACKNOWLEDGE = new Set(["A", "ACK", "ACKNOWLEDGE", "ACKNOWLEDGED"]);
/** `P`: pass on. Messages of former versions said `R`, and those that ask for cover say it. */
const REJECT = new Set(["P", "PASS", "PASSED", "R", "REJ", "REJECT", "REJECTED"]);

/** How a message of ours begins that says how to answer: people copy it. */
const REPLY = "REPLY";

const actionOf = (word: string) => {
  if (ACKNOWLEDGE.has(word)) return "acknowledge" as const;
  return REJECT.has(word) ? ("reject" as const) : null;
};

/** More numbers are no codes: somebody would try them. */
const MAX_CODES = 3;

const isCode = (word: string) => /^\d{4}$/.test(word);

/** Parses a reply. Only letters and digits count, and `A4821` is two words. */
export function readReply(text: string): SmsReply {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toUpperCase();
  const all = plain.match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
  const whole = all.join("");
  if (STOP.has(whole)) return { kind: "stop" };
  if (START.has(whole)) return { kind: "start" };
  const [first = "", ...rest] = all[0] === REPLY ? all.slice(1) : all;
  const [second = ""] = rest;
  const action = actionOf(first);
  if (action !== null)
    return { kind: "answer", action, codes: rest.filter(isCode).slice(0, MAX_CODES) };
  if (!isCode(first)) return { kind: "unknown" };
  const after = actionOf(second);
  if (after !== null) return { kind: "answer", action: after, codes: [first] };
  if (!/^\d{1,2}$/.test(second)) return { kind: "unknown" };
  return { kind: "option", code: first, option: Number(second) };
}
