// What ends a deployment, with what helps.
import type { ApiRefusal } from "./cloudflare-api.ts";

/** What to do about a refusal, for the person who deploys. */
export class DeployRefusal extends Error {}

/** Codes with which Cloudflare refuses a token that lacks a permission. */
const FORBIDDEN = new Set([10_000, 9_109, 7_403]);

/** Throws with what was refused, why, and what helps. */
export function refuse(what: string, refusal: ApiRefusal): never {
  const { code, message, status } = refusal;
  const explained = explainCode(code);
  if (explained !== null) throw new DeployRefusal(`${what}. ${explained}`);
  const isForbidden = status === 403 || status === 401 || FORBIDDEN.has(code);
  const hint = isForbidden
    ? " Your sign-in lacks a permission for this: run `npx wrangler login` again, or give the token of " +
      "CLOUDFLARE_API_TOKEN the permissions that the manual names under Deploying."
    : "";
  throw new DeployRefusal(`${what}: Cloudflare answered "${message}" (code ${code}).${hint}`);
}

const SUBSCRIBE = "subscribe to the Workers paid plan and deploy with --plan paid";

/** What Cloudflare's codes mean on the free plan, and what helps. */
const REFUSALS: Readonly<Record<number, string>> = {
  7406: `The account has as many databases as its plan allows, 10 on the free one. Delete one that is unused (npx wrangler d1 list, npx wrangler d1 delete <name>), or ${SUBSCRIBE}.`,
  10027: `The worker is larger than the account's plan allows. Deploy an unchanged release, or ${SUBSCRIBE}.`,
  10034: "Cloudflare asks to verify the e-mail address of your Cloudflare user first.",
  10072: `The account has no cron trigger left: the free plan has 5 over all workers. Remove one from another worker, under its settings in Cloudflare's dashboard, or ${SUBSCRIBE}.`,
  10097: `The free plan has objects with SQLite storage only, and a class of this worker's was created with another. Deploy under another --name, or ${SUBSCRIBE}.`,
  11002:
    "Queues are not switched on in this account: open Storage & databases > Queues in Cloudflare's dashboard once.",
  100129: `This account's plan has no queues. Queues are part of the free plan: open Storage & databases > Queues in Cloudflare's dashboard once, or ${SUBSCRIBE}.`,
  100328: "A CPU limit can be set on the paid plan only: deploy with --plan free, which sets none.",
};

/** The sentence about a code of Cloudflare's; null for one that the plan does not explain. */
const explainCode = (code: number): string | null => REFUSALS[code] ?? null;

/** The sentence about the first code in what wrangler wrote; null if there is none to explain. */
export function explainOutput(output: string): string | null {
  const codes = [...output.matchAll(/\[code: (\d+)\]/g)].map(([, code]) => Number(code));
  return codes.map(explainCode).find((it) => it !== null) ?? null;
}
