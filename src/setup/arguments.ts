// Command-line arguments of `npm start`, `npm run setup` and `npm run archive`. Unknown arguments are refused.
import { resolve } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { parseIdentifier, prefixIdOf } from "../domain/shared/identifiers.ts";
import { root } from "./processes/wrangler.ts";

export type RefusedArguments = { readonly refused: string };

export const START_USAGE =
  "usage: npm start -- [--port 8787] [--persist-to .wrangler/state] [--demo] [--rate-limits]" +
  " [--allow-host localhost:9000]...";

export const SETUP_USAGE =
  'usage: npm run setup -- --name "Acme" --email ada@acme.com [--person "Ada"]' +
  " [--remote | --local [--persist-to .wrangler/state]]";

export const ARCHIVE_USAGE =
  "usage: npm run archive -- --account acc_... (--day 2026-01-31 | --list)" +
  " [--remote | --local [--persist-to .wrangler/state]]";

const DEFAULT_STATE = ".wrangler/state";

export type StartArguments = {
  readonly port: number;
  /** Absolute path of the state directory. */
  readonly state: string;
  /** Whether an empty state gets a month of data. */
  readonly demo: boolean;
  readonly rateLimits: boolean;
  /** Local hosts that user-supplied URLs may name, as in `ALLOWED_HOSTS`. */
  readonly allowedHosts: readonly string[];
};

export type SetupArguments = {
  readonly name: string;
  readonly email: string;
  readonly person: string;
  readonly remote: boolean;
  /** Absolute path of the local state directory. */
  readonly state: string;
};

export type ArchiveArguments = {
  /** The account's `prefix_id`. */
  readonly account: string;
  /** `yyyy-mm-dd`, UTC; null to list the days. */
  readonly day: string | null;
  readonly remote: boolean;
  /** Absolute path of the local state directory. */
  readonly state: string;
};

/** The values of the flags, or the first error. */
function readFlags<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

const isRefused = (value: object): value is RefusedArguments => "refused" in value;

/** A host with or without a port: no scheme, no path. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Parses the arguments of `npm start`. */
export function parseStartArguments(args: readonly string[]): StartArguments | RefusedArguments {
  const values = readFlags(args, {
    port: { type: "string", default: "8787" },
    "persist-to": { type: "string", default: DEFAULT_STATE },
    demo: { type: "boolean", default: false },
    "rate-limits": { type: "boolean", default: false },
    "allow-host": { type: "string", multiple: true, default: [] },
  });
  if (isRefused(values)) return values;
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0;
  if (port < 1 || port > 65_535) return { refused: "--port must be between 1 and 65535" };
  if (values["persist-to"] === "") return { refused: "--persist-to needs a directory" };
  const allowedHosts = values["allow-host"].map((host) => host.trim().toLowerCase());
  const invalid = allowedHosts.find((host) => !HOST.test(host));
  if (invalid !== undefined) {
    return { refused: `--allow-host needs a host, as in localhost:9000; got ${invalid}` };
  }
  const state = resolve(root, values["persist-to"]);
  return { port, state, demo: values.demo, rateLimits: values["rate-limits"], allowedHosts };
}

/** Parses the arguments of `npm run setup`. `person` defaults to the email's part before the @. */
export function parseSetupArguments(args: readonly string[]): SetupArguments | RefusedArguments {
  const values = readFlags(args, {
    name: { type: "string", default: "" },
    email: { type: "string", default: "" },
    person: { type: "string", default: "" },
    remote: { type: "boolean", default: false },
    local: { type: "boolean", default: false },
    "persist-to": { type: "string", default: DEFAULT_STATE },
  });
  if (isRefused(values)) return values;
  const name = values.name.trim();
  const email = values.email.trim().toLowerCase();
  if (name === "") return { refused: "--name is needed: what the account is called" };
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    return { refused: "--email is needed: the address of the first person" };
  }
  if (values.local && values.remote) return { refused: "either --local or --remote, not both" };
  const person = values.person.trim() || (email.split("@")[0] ?? email);
  return {
    name,
    email,
    person,
    remote: !values.local,
    state: resolve(root, values["persist-to"]),
  };
}

/** Whether the text is a date of the calendar. */
function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Parses the arguments of `npm run archive`. The account may be given by either form of its id. */
export function parseArchiveArguments(
  args: readonly string[],
): ArchiveArguments | RefusedArguments {
  const values = readFlags(args, {
    account: { type: "string", default: "" },
    day: { type: "string" },
    list: { type: "boolean", default: false },
    remote: { type: "boolean", default: false },
    local: { type: "boolean", default: false },
    "persist-to": { type: "string", default: DEFAULT_STATE },
  });
  if (isRefused(values)) return values;
  const account = parseIdentifier("account", values.account.trim());
  if (account === null) return { refused: "--account needs an account's id or prefix_id" };
  const { day } = values;
  if ((day !== undefined) === values.list) return { refused: "either --day or --list is needed" };
  if (day !== undefined && !isDate(day)) return { refused: "--day needs a date, as in 2026-01-31" };
  if (values.local && values.remote) return { refused: "either --local or --remote, not both" };
  return {
    account: account.form === "id" ? prefixIdOf("account", account.value) : account.value,
    day: day ?? null,
    remote: !values.local,
    state: resolve(root, values["persist-to"]),
  };
}
