// Command-line arguments of `npm run serve`. Unknown arguments are refused.
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const SERVE_USAGE =
  "usage: npm run serve -- --config /etc/tocsin/tocsin.env --state /var/lib/tocsin" +
  " [--host 127.0.0.1] [--port 8787]";

export type ServeArguments = {
  /** Absolute path of the file with variables and secrets. */
  readonly config: string;
  /** Absolute path of the folder with everything that is stored. */
  readonly state: string;
  /** The address that is listened on. */
  readonly host: string;
  readonly port: number;
};

/** A port, or null. */
export function parsePort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** Parses the arguments. Relative paths count from the folder in which the command was run. */
export function parseServeArguments(
  args: readonly string[],
  folder: string,
): ServeArguments | { readonly refused: string } {
  const options = {
    config: { type: "string", default: "" },
    state: { type: "string", default: "" },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8787" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const port = parsePort(values.port);
    if (values.config === "") return { refused: "--config needs a file" };
    if (values.state === "") return { refused: "--state needs a folder" };
    if (values.host === "") return { refused: "--host needs an address" };
    if (port === null) return { refused: "--port must be between 1 and 65535" };
    const [config, state] = [resolve(folder, values.config), resolve(folder, values.state)];
    return { config, state, host: values.host, port };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}
