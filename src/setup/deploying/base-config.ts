// `wrangler.toml`, from which the configurations of deployments and of local workers are made.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { root } from "../processes/wrangler.ts";
import type { WranglerConfig } from "./worker-config.ts";

/** Parses a configuration: `wrangler.toml`, unless another text is given. */
export function readBaseConfig(
  text: string = readFileSync(join(root, "wrangler.toml"), "utf8"),
): WranglerConfig {
  return parse(text) as WranglerConfig;
}
