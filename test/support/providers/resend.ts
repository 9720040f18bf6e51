// A fake Resend: implements its protocol with idempotency keys, and responds as configured.
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

/** A response is created per request, since its body can be read only once. */
type ConfiguredAnswer = (() => Response) | "lost" | "taken but lost";

export type Resend = {
  /** Accepted mails, one per key. */
  readonly mails: ResendMail[];
  /** Every request, in order. */
  readonly requests: { readonly key: string; readonly mail: ResendMail }[];
  /** The responses of the next requests, in order; later requests are accepted. */
  readonly answers: ConfiguredAnswer[];
};

const refusedBy = (status: number, name: string, headers: Record<string, string> = {}) =>
  Response.json({ statusCode: status, name, message: "refused" }, { status, headers });

/** An error response of Resend's API. */
export const resendRefusal =
  (...parameters: Parameters<typeof refusedBy>) =>
  () =>
    refusedBy(...parameters);

/** Replaces `fetch` for Resend's host until the test's mocks are restored. */
export function openResend(): Resend {
  const taken = new Map<string, string>();
  const resend: Resend = { mails: [], requests: [], answers: [] };
  const { fetch } = globalThis;
  vi.spyOn(env, "RESEND_API_KEY", "get").mockReturnValue("re_test");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (...parameters) => {
    const request = new Request(...(parameters as [string, RequestInit]));
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
    const configured = resend.answers.shift();
    if (typeof configured === "function") return configured();
    if (configured === "lost") throw new TypeError("network connection lost");
    const earlier = taken.get(key);
    if (earlier !== undefined && earlier !== text)
      return refusedBy(409, "invalid_idempotent_request");
    if (earlier === undefined) {
      taken.set(key, text);
      resend.mails.push(mail);
    }
    if (configured === "taken but lost") throw new TypeError("network connection lost");
    return Response.json({ id: `re-${[...taken.keys()].indexOf(key)}` });
  }
  return resend;
}
