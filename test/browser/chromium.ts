// Where Chromium is. Where there is none, the browser tests are skipped; in CI that is a failure.
import { existsSync } from "node:fs";

const PLACES = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Chromium's path; null where there is none. */
export const chromiumPath = PLACES.find((path) => path !== "" && existsSync(path)) ?? null;
