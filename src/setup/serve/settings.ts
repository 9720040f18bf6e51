// The settings of a server: the file with its variables and secrets, as `NAME=value` lines.
import { readFileSync, statSync } from "node:fs";
import type { BlockList } from "node:net";
import { parseEnv } from "node:util";
import { DEPLOYMENT_SECRETS } from "../../domain/operations/deployment-secrets.ts";
import { mailProvidersOf } from "../../domain/people/mail-provider.ts";
import { phoneProvidersOf } from "../../domain/people/phone-provider.ts";
import { isBackupKey } from "../../features/operations/backup/backup-seal.ts";
import { parseProxies } from "./client-address.ts";
import { parsePort } from "./serve-arguments.ts";

/** What the file may have beside the worker's variables and secrets, which never see it. */
export const HOST_SETTINGS = [
  "SMTP_URL",
  "MAIL_PORT",
  "TRUSTED_PROXY",
  "ACCOUNT_NAME",
  "ADMIN_EMAIL",
] as const;

export type ServerSettings = {
  /** The address for links in messages, without a path. */
  readonly publicUrl: string;
  /** The worker's variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** The server that sends e-mail. */
  readonly smtpUrl: string | null;
  /** The port on which e-mail to integrations is received. */
  readonly mailPort: number | null;
  readonly proxies: BlockList;
  /** The first account and its admin; null where none is to be created. */
  readonly first: { readonly account: string; readonly email: string } | null;
};

type Refused = { readonly refused: string };
type Values = Readonly<Record<string, string>>;

/** The mode of a file that its owner alone reads and writes, or only reads. */
const OWN_MODES = [0o600, 0o400];

/** The address of the deployment; null if it is none. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin ? url.origin : null;
}

function refuseMail({ EMAIL_FROM = "", SMTP_URL = "", MAIL_PORT = "" }: Values): string | null {
  if (SMTP_URL !== "" && !/^smtps?:$/.test(URL.parse(SMTP_URL)?.protocol ?? "")) {
    return "SMTP_URL must be as in smtp://user:password@mail.example.com:587, or smtps://…";
  }
  if (SMTP_URL !== "" && EMAIL_FROM === "") return "EMAIL_FROM is missing: the sender of e-mail";
  if (MAIL_PORT !== "" && parsePort(MAIL_PORT) === null) {
    return "MAIL_PORT must be between 1 and 65535";
  }
  return null;
}

function refuseFirst({ ACCOUNT_NAME = "", ADMIN_EMAIL = "" }: Values): string | null {
  if (ADMIN_EMAIL === "" && ACCOUNT_NAME === "") return null;
  if (ACCOUNT_NAME === "") return "ADMIN_EMAIL is set, but ACCOUNT_NAME is missing";
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(ADMIN_EMAIL);
  return isAddress ? null : "ACCOUNT_NAME needs ADMIN_EMAIL, the address of the account's admin";
}

const ADDRESSES = ["STANDBY_OF", "STANDBY_AFTER", "STANDBY_PROBE", "STANDBY_URL"] as const;

function refuseStandby(values: Values): string | null {
  const { STANDBY_OF = "", STANDBY_SECONDS = "", BACKUP_KEY = "" } = values;
  const wrong = ADDRESSES.find(
    (name) => values[name] && !/^https?:$/.test(URL.parse(values[name])?.protocol ?? ""),
  );
  if (wrong !== undefined) return `${wrong} must be an address, as in https://pager.example.com`;
  if (STANDBY_SECONDS !== "" && !/^[1-9]\d{0,2}$/.test(STANDBY_SECONDS)) {
    return "STANDBY_SECONDS must be a whole number of seconds, from 1 to 999";
  }
  if (STANDBY_OF === "") return null;
  if (!isBackupKey(BACKUP_KEY)) {
    return "STANDBY_OF needs BACKUP_KEY, that of the primary: 32 characters or more";
  }
  const hasAccount = Boolean(values.ACCOUNT_NAME || values.ADMIN_EMAIL);
  return hasAccount
    ? "STANDBY_OF is set, and a standby has the accounts of its primary: remove ACCOUNT_NAME and ADMIN_EMAIL"
    : null;
}

/** Checks the values of the file. `known`: the worker's variables. */
export function checkSettings(values: Values, known: Values): ServerSettings | Refused {
  const names = new Set([
    ...Object.keys(known),
    ...DEPLOYMENT_SECRETS,
    "BACKUP_KEY",
    ...HOST_SETTINGS,
  ]);
  const unknown = Object.keys(values).filter((name) => !names.has(name));
  if (unknown.length > 0) return { refused: `it has unknown names: ${unknown.join(", ")}` };
  if (values.JURISDICTION) return { refused: "JURISDICTION is for Cloudflare only" };
  const publicUrl = originOf(values.PUBLIC_URL ?? "");
  if (publicUrl === null) {
    return { refused: "PUBLIC_URL must be the address, as in https://pager.example.com" };
  }
  const refused = refuseMail(values) ?? refuseFirst(values) ?? refuseStandby(values);
  if (refused !== null) return { refused };
  const proxies = parseProxies(values.TRUSTED_PROXY ?? "");
  if (proxies === null) {
    return { refused: "TRUSTED_PROXY must be addresses or networks, as in 127.0.0.1, 10.0.0.0/8" };
  }
  const isHost = (name: string) => HOST_SETTINGS.some((it) => it === name);
  const own = Object.entries(values).filter(([name]) => !isHost(name));
  return {
    publicUrl,
    variables: { ...Object.fromEntries(own), PUBLIC_URL: publicUrl },
    smtpUrl: values.SMTP_URL || null,
    mailPort: parsePort(values.MAIL_PORT ?? ""),
    proxies,
    first: values.ADMIN_EMAIL
      ? { account: values.ACCOUNT_NAME ?? "", email: values.ADMIN_EMAIL.toLowerCase() }
      : null,
  };
}

/** A value in quotes, which may have several lines. */
const QUOTED = /^(\s*(?:export\s+)?[\w.-]+[ \t]*=[ \t]*)(["'`])[\s\S]*?\2/gm;

/** Which line of the file gives no name a value, from 1; null: none. What is read of the file lacks it silently. */
export function strayLine(text: string): number | null {
  const withoutValues = text.replace(
    QUOTED,
    (quoted, name: string) => name + "\n".repeat(quoted.slice(name.length).split("\n").length - 1),
  );
  const isStray = (line: string) => /^\s*[^\s#]/.test(line) && !line.includes("=");
  const at = withoutValues.split("\n").findIndex(isStray);
  return at < 0 ? null : at + 1;
}

/** Reads the file, which must be its owner's alone. `known`: the worker's variables. */
export function readSettings(path: string, known: Values): ServerSettings | Refused {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return { refused: `${path} does not exist` };
  const permissions = mode & 0o777;
  if (!OWN_MODES.includes(permissions)) {
    const found = permissions.toString(8).padStart(3, "0");
    return {
      refused: `${path} has secrets, but its mode is ${found}: others may read it. Run: chmod 600 ${path}`,
    };
  }
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { refused: `${path} cannot be read: ${(error as Error).message}` };
  }
  const stray = strayLine(text);
  if (stray !== null) return { refused: `${path}: line ${stray} is no NAME=value` };
  const checked = checkSettings(parseEnv(text) as Values, known);
  return "refused" in checked ? { refused: `${path}: ${checked.refused}` } : checked;
}

/** Whether anybody can be paged by email, SMS or a call. */
export function canCall(variables: Values, smtpUrl: string | null): boolean {
  const mail = { ...variables, ...(smtpUrl !== null && { SMTP: {} }) };
  return (
    mailProvidersOf(mail, false).length > 0 ||
    (["sms", "voice"] as const).some((channel) => phoneProvidersOf(variables, channel).length > 0)
  );
}

/** The hosts of the addresses that the operator has entered: they may be of the private network. */
export function privateHostsOf(variables: Values): readonly string[] {
  const urls = Object.values(variables).map((value) => URL.parse(value));
  const named = urls.flatMap((url) =>
    /^https?:$/.test(url?.protocol ?? "") ? [url?.host ?? ""] : [],
  );
  const allowed = (variables.ALLOWED_HOSTS ?? "")
    .split(",")
    .map((host) => host.trim().toLowerCase());
  return [...new Set([...named, ...allowed])].filter((host) => host !== "");
}
