// Stands in for Resend: speaks its protocol, keeps its idempotency keys, and answers as it is told.
import { env } from "cloudflare:workers";
import { vi } from "vitest";

type ResendMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** An answer is made where it is given: no other request may read its body. */
type Told = (() => Response) | "lost" | "taken but lost";

export type Resend = {
  /** What was taken, each key once. */
  readonly mails: ResendMail[];
  /** Every request, in order. */
  readonly requests: { readonly key: string; readonly mail: ResendMail }[];
  /** What the next requests are answered, before they are taken; when there are none left they are taken. */
  readonly answers: Told[];
};

const refusedBy = (status: number, name: string, headers: Record<string, string> = {}) =>
  Response.json({ statusCode: status, name, message: "refused" }, { status, headers });

/** A refusal as Resend words it. */
export const resendRefusal =
  (...given: Parameters<typeof refusedBy>) =>
  () =>
    refusedBy(...given);

/** Takes the place of the network, for Resend alone, until the test's mocks are restored. */
export function openResend(): Resend {
  const taken = new Map<string, string>();
  const resend: Resend = { mails: [], requests: [], answers: [] };
  const { fetch } = globalThis;
  vi.spyOn(env, "RESEND_API_KEY", "get").mockReturnValue("re_test");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (...given) => {
    const request = new Request(...(given as [string, RequestInit]));
    if (!request.url.startsWith("https://api.resend.com/")) return fetch(request);
    return answer(request);
  });
  async function answer(request: Request): Promise<Response> {
    if (request.headers.get("authorization") !== "Bearer re_test") {
      return refusedBy(401, "missing_api_key");
    }
    const key = request.headers.get("idempotency-key") ?? "";
    const text = await request.text();
    const mail = JSON.parse(text) as ResendMail;
    resend.requests.push({ key, mail });
    const told = resend.answers.shift();
    if (typeof told === "function") return told();
    if (told === "lost") throw new TypeError("network connection lost");
    const held = taken.get(key);
    if (held !== undefined && held !== text) return refusedBy(409, "invalid_idempotent_request");
    if (held === undefined) {
      taken.set(key, text);
      resend.mails.push(mail);
    }
    if (told === "taken but lost") throw new TypeError("network connection lost");
    return Response.json({ id: `re-${[...taken.keys()].indexOf(key)}` });
  }
  return resend;
}
