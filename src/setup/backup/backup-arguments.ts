// Command-line arguments of `npm run backup` and `npm run restore`. Unknown arguments are refused.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isBackupKey } from "../../features/operations/backup/backup-seal.ts";
import { root } from "../processes/wrangler.ts";

export const BACKUP_USAGE =
  "usage: BACKUP_KEY=... npm run backup -- --to DIRECTORY [--url https://tocsin.example.com]";

export const RESTORE_USAGE =
  "usage: BACKUP_KEY=... npm run restore -- --from DIRECTORY [--url https://tocsin.example.com]" +
  " [--secrets]";

const LOCAL_URL = "http://127.0.0.1:8787";
const LOCAL_SECRETS = ".wrangler/state/secrets.json";

export type BackupArguments = {
  /** Absolute path of the backup's directory. */
  readonly directory: string;
  /** Of the deployment, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** Whether to print the secrets in the backup instead of restoring it. */
  readonly showsSecrets: boolean;
};

type Refused = { readonly refused: string };

/** The key in the environment, or that of the local state that `npm start` uses. */
function readKey(environment: NodeJS.ProcessEnv): string | undefined {
  const path = join(root, LOCAL_SECRETS);
  if (environment.BACKUP_KEY || !existsSync(path)) return environment.BACKUP_KEY;
  const secrets: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"));
  return secrets.BACKUP_KEY;
}

/** Parses the arguments. `flag`: the one that names the directory. */
export function parseBackupArguments(
  args: readonly string[],
  flag: "to" | "from",
  environment: NodeJS.ProcessEnv,
): BackupArguments | Refused {
  const common = { url: { type: "string", default: LOCAL_URL } } as const;
  const options =
    flag === "to"
      ? ({ ...common, to: { type: "string" } } as const)
      : ({ ...common, from: { type: "string" }, secrets: { type: "boolean" } } as const);
  let values: Readonly<Record<string, unknown>>;
  try {
    values = parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    return { refused: (error as Error).message };
  }
  const directory = values[flag];
  if (typeof directory !== "string" || directory === "") {
    return { refused: `--${flag} needs a directory` };
  }
  const url = URL.parse(String(values.url));
  if (url === null || !/^https?:$/.test(url.protocol)) return { refused: "--url needs an address" };
  const key = readKey(environment);
  if (!isBackupKey(key)) {
    return { refused: "BACKUP_KEY is needed: the deployment's secret, of at least 32 characters" };
  }
  const showsSecrets = values.secrets === true;
  return { directory: resolve(directory), url: url.origin, key, showsSecrets };
}
