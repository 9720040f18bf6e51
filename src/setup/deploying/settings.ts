// The settings of a deployment: what the first `npm run deploy` decided, so that the next ones ask nothing. A file without
// secrets, to be committed by whoever runs the deployment.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { baseUrl } from "../../domain/shared/urls.ts";

const NAME = /^[a-z][a-z0-9-]{1,40}[a-z0-9]$/;

export const JURISDICTIONS = ["eu", "us", "fedramp"] as const;
export const PLANS = ["paid", "free"] as const;
export const LOCATIONS = ["wnam", "enam", "weur", "eeur", "apac", "oc"] as const;

/** A name of a worker; its queues and its bucket are called after it. */
export const deploymentName = z
  .string()
  .regex(NAME, "must be 3 to 42 lower-case letters, digits and hyphens, and begin with a letter");

/** The address under which people reach the deployment, without a path. */
export const publicUrl = z
  .string()
  .transform(baseUrl)
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && url.protocol === "https:" && url.origin === text;
  }, "must be an https address without a path, as in https://tocsin.example.com");

export const emailAddress = z.email("must be an e-mail address");

const settingsSchema = z.strictObject({
  name: deploymentName,
  /** Cloudflare's id of the account that it is deployed to. */
  account_id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a Cloudflare account"),
  /** The Workers plan of that account; without it the paid one. */
  plan: z.enum(PLANS).optional(),
  database_id: z.string().optional(),
  public_url: publicUrl.optional(),
  email_from: emailAddress.optional(),
  /** Whether alerts and request logs are written to R2 before they are removed; never on the free plan. */
  archive: z.boolean(),
  /** Where all data stays, by law; decided at the first deployment. */
  jurisdiction: z.enum(JURISDICTIONS).optional(),
  /** Where the database is placed if no jurisdiction says so; decided at the first deployment. */
  location: z.enum(LOCATIONS).optional(),
  /** Variables of `wrangler.toml` with other values. */
  variables: z.record(z.string(), z.string()).optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

/** Reads the settings. @returns null without a file, and the first error of an invalid one */
export function readSettings(path: string): Settings | { readonly refused: string } | null {
  if (!existsSync(path)) return null;
  let stored: unknown;
  try {
    stored = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { refused: `${path} is not JSON` };
  }
  const parsed = settingsSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((it) => `${it.path.join(".") || "it"}: ${it.message}`);
  return { refused: `${path} cannot be used: ${faults.join("; ")}` };
}

/** Writes the settings whole or not at all. */
export function writeSettings(path: string, settings: Settings): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(settings, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}
