// The file that tells wrangler about this deployment: `wrangler.toml` changed by the settings. Written anew for each command;
// it stands beside `wrangler.toml`, from which its paths count.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { root } from "../processes/wrangler.ts";
import { readSettings, type Settings } from "./settings.ts";
import { buildWorkerConfig, type WranglerConfig } from "./worker-config.ts";

/** Where the settings are unless another file is named. */
const SETTINGS = join(root, ".deployment.json");
const CONFIG = join(root, ".wrangler.deployment.json");

/** `wrangler.toml` itself. */
export function readBaseConfig(): WranglerConfig {
  return parse(readFileSync(join(root, "wrangler.toml"), "utf8")) as WranglerConfig;
}

/** Writes the configuration of these settings. @returns its absolute path */
export function writeDeploymentConfig(settings: Settings): string {
  writeFileSync(CONFIG, `${JSON.stringify(buildWorkerConfig(readBaseConfig(), settings))}\n`);
  return CONFIG;
}

/**
 * The configuration for a command on the deployment: of its settings, else `wrangler.toml`, for those who keep ids there.
 *
 * @returns its absolute path. Throws on settings that cannot be used
 */
export function deploymentConfigPath(): string {
  const settings = readSettings(SETTINGS);
  if (settings === null) return join(root, "wrangler.toml");
  if ("refused" in settings) throw new Error(settings.refused);
  return writeDeploymentConfig(settings);
}
