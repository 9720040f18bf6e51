// Command-line arguments of `npm run deploy`. What is not given comes from the settings of an earlier deployment, or is asked.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type * as z from "zod";
import { baseUrl } from "../../domain/shared/urls.ts";
import { root } from "../processes/wrangler.ts";
import {
  deploymentName,
  emailAddress,
  JURISDICTIONS,
  LOCATIONS,
  PLANS,
  publicUrl,
  type Settings,
} from "./settings.ts";

export const DEPLOY_USAGE = `usage: npm run deploy -- [options]
  --url https://tocsin.example.com   the address; without it one of workers.dev
  --email-from pager@example.com     the sender of e-mail
  --account-name "Acme"              the first account, --person "Ada" and --email ada@acme.com: its admin
  --no-account                       creates no account, for a deployment that gets a backup
  --plan paid|free                   the Workers plan of your Cloudflare account
  --name tocsin                      the name of the worker; its database, queues and bucket are called after it
  --cloudflare-account <id>          where your sign-in has several
  --jurisdiction eu|us|fedramp       where all data stays; only at the first deployment
  --location weur|eeur|wnam|enam|apac|oc   where the database is placed; only at the first deployment
  --no-archive                       removes old records without a copy in R2
  --settings .deployment.json        the file of the decisions above
  --replace-dns                      lets the address replace DNS records or another worker's domain
  --gradual                          tests the new version before it gets requests
  --no-check                         does not ask the deployed worker whether it answers
  --yes                              asks nothing; refuses if something is missing`;

export type DeployArguments = {
  /** Absolute path of the settings. */
  readonly settings: string;
  readonly given: {
    readonly name?: string;
    readonly account_id?: string;
    readonly plan?: Settings["plan"];
    readonly public_url?: string;
    readonly email_from?: string;
    readonly archive?: boolean;
    readonly jurisdiction?: Settings["jurisdiction"];
    readonly location?: Settings["location"];
  };
  /** The first account and its admin, as far as given. */
  readonly accountName: string;
  readonly person: string;
  readonly email: string;
  /** Whether the first account is created. */
  readonly createsAccount: boolean;
  /** Whether the address may be taken from what has it now. */
  readonly mayReplaceDns: boolean;
  readonly isGradual: boolean;
  readonly isChecked: boolean;
  /** Whether nothing may be asked. */
  readonly isSilent: boolean;
};

const OPTIONS = {
  url: { type: "string" },
  "email-from": { type: "string" },
  "account-name": { type: "string", default: "" },
  person: { type: "string", default: "" },
  email: { type: "string", default: "" },
  "no-account": { type: "boolean", default: false },
  name: { type: "string" },
  "cloudflare-account": { type: "string" },
  plan: { type: "string" },
  jurisdiction: { type: "string" },
  location: { type: "string" },
  "no-archive": { type: "boolean", default: false },
  settings: { type: "string", default: ".deployment.json" },
  "replace-dns": { type: "boolean", default: false },
  gradual: { type: "boolean", default: false },
  "no-check": { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
} as const;

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false })
      .values;
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

/** The first fault of a flag's value, by the flag. */
function faultOf(flag: string, schema: z.ZodType, value: string | undefined): string | null {
  if (value === undefined) return null;
  const parsed = schema.safeParse(value);
  return parsed.success ? null : `--${flag} ${parsed.error.issues[0]?.message}`;
}

const oneOf = <Value extends string>(values: readonly Value[], value: string | undefined) =>
  values.find((it) => it === value);

/** Parses the arguments of `npm run deploy`; all faults at once. */
export function parseDeployArguments(
  args: readonly string[],
): DeployArguments | { readonly refused: string } {
  const values = readFlags(args);
  if ("refused" in values) return values;
  const { url, name, plan, jurisdiction, location } = values;
  const faults = [
    faultOf("url", publicUrl, url),
    faultOf("email-from", emailAddress, values["email-from"]),
    faultOf("email", emailAddress, values.email === "" ? undefined : values.email),
    faultOf("name", deploymentName, name),
    plan !== undefined && !oneOf(PLANS, plan) ? `--plan is one of ${PLANS.join(", ")}` : null,
    jurisdiction !== undefined && !oneOf(JURISDICTIONS, jurisdiction)
      ? `--jurisdiction is one of ${JURISDICTIONS.join(", ")}`
      : null,
    location !== undefined && !oneOf(LOCATIONS, location)
      ? `--location is one of ${LOCATIONS.join(", ")}`
      : null,
    jurisdiction !== undefined && location !== undefined
      ? "--jurisdiction decides on the location; give one of them"
      : null,
  ].filter((it) => it !== null);
  if (faults.length > 0) return { refused: faults.join("\n") };
  const account = values["cloudflare-account"];
  const from = values["email-from"];
  const planGiven = oneOf(PLANS, plan);
  const jurisdictionGiven = oneOf(JURISDICTIONS, jurisdiction);
  const locationGiven = oneOf(LOCATIONS, location);
  return {
    settings: resolve(root, values.settings),
    given: {
      ...(name !== undefined && { name }),
      ...(account !== undefined && { account_id: account }),
      ...(planGiven && { plan: planGiven }),
      ...(url !== undefined && { public_url: baseUrl(url) }),
      ...(from !== undefined && { email_from: from.toLowerCase() }),
      ...(values["no-archive"] && { archive: false }),
      ...(jurisdictionGiven && { jurisdiction: jurisdictionGiven }),
      ...(locationGiven && { location: locationGiven }),
    },
    accountName: values["account-name"].trim(),
    person: values.person.trim(),
    email: values.email.trim().toLowerCase(),
    createsAccount: !values["no-account"],
    mayReplaceDns: values["replace-dns"],
    isGradual: values.gradual,
    isChecked: !values["no-check"],
    isSilent: values.yes,
  };
}
