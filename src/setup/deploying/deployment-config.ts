// The file that tells wrangler about this deployment: `wrangler.toml` changed by the settings. Written anew for each command;
// it stands beside `wrangler.toml`, from which its paths count.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildingConfig } from "../modules.ts";
import { root } from "../processes/wrangler.ts";
import { readBaseConfig } from "./base-config.ts";
import { readSettings, type Settings } from "./settings.ts";
import { buildWorkerConfig } from "./worker-config.ts";

/** Where the settings are unless another file is named. */
const SETTINGS = join(root, ".deployment.json");
const CONFIG = join(root, ".wrangler.deployment.json");

/** Writes the configuration of these settings. @returns its absolute path */
export function writeDeploymentConfig(settings: Settings): string {
  const config = buildingConfig(buildWorkerConfig(readBaseConfig(), settings));
  writeFileSync(CONFIG, `${JSON.stringify(config)}\n`);
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
