// The Workers plan of the Cloudflare account: which one it is, and what the free one does not have.
import type { CloudflareClient } from "./cloudflare-api.ts";
import type { Ask } from "./questions.ts";
import { DeployRefusal } from "./refusals.ts";
import { PLANS, type Settings } from "./settings.ts";

type Plan = (typeof PLANS)[number];
type Subscription = { readonly rate_plan?: { readonly id?: string } };

/** The plan as the account's subscriptions say; null if they cannot be read, which needs a permission for billing. */
async function readPlan(client: CloudflareClient, account: string): Promise<Plan | null> {
  const found = await client.get<readonly Subscription[]>(`/accounts/${account}/subscriptions`);
  if (found.refusal) return null;
  const isPaid = found.result.some(({ rate_plan }) => rate_plan?.id?.startsWith("workers_paid"));
  return isPaid ? "paid" : "free";
}

/** The plan of a first deployment: the account's paid one, or what is answered. Throws `DeployRefusal`. */
export async function decidePlan(
  client: CloudflareClient,
  account: string,
  ask: Ask | null,
): Promise<Plan> {
  const read = await readPlan(client, account);
  if (read === "paid") return read;
  const found =
    read === null
      ? "Your sign-in cannot read which Workers plan the Cloudflare account has"
      : "The Cloudflare account has no Workers paid plan";
  if (ask === null) {
    throw new DeployRefusal(
      `${found}. Deploy with --plan free, which costs nothing and has daily limits, or with --plan paid ($5 a month).`,
    );
  }
  console.log(`${found}.`);
  const text = "Deploy to the plan (paid or free; free has daily limits and no archive)";
  for (;;) {
    const answer = await ask({ text, fallback: read ?? "paid" });
    const plan = PLANS.find((it) => it === answer.toLowerCase());
    if (plan !== undefined) return plan;
  }
}

/** Secrets with which another provider than Cloudflare sends e-mail. */
export const MAIL_KEYS = ["RESEND_API_KEY", "MAILGUN_API_KEY"] as const;

/** What a deployment on the free plan does not have, said before anything is created. */
export function describeFreePlan({ name }: Settings): string {
  return [
    `${name} is deployed to Cloudflare's free plan:`,
    "  - no archive: old records are removed without a copy (R2 asks for a payment method)",
    `  - e-mail by Resend or Mailgun alone, with the secret ${MAIL_KEYS.join(" or ")}`,
    "  - a database of 500 MB: the oldest records are removed when it is nearly full",
    "  - each limit of a day ends some thousands of alerts; pages go before everything else",
    "  To change to the paid plan, subscribe to it and deploy with --plan paid.",
  ].join("\n");
}
