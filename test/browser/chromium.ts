// Finds Chromium. Without it the browser tests are skipped, or fail in CI.
import { existsSync } from "node:fs";

const PATHS = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Chromium's path; null if it is not installed. */
export const chromiumPath = PATHS.find((path) => path !== "" && existsSync(path)) ?? null;
