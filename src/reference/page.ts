// The pages of the reference that are made, not stored: Swagger UI's script and styles beside the page
// that uses them, which loads nothing from another host, and the references of rules and of
// integration types.
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { integrationsPage } from "./integrations-page.ts";
import { rulesPage } from "./rules-page.ts";

const FILES = ["swagger-ui-bundle.js", "swagger-ui.css"];

/** Writes the pages into a folder, which exists. */
export function writeReferencePages(to: string): void {
  // Fastify's copy of Swagger UI: the project's own package, swagger-ui-dist, runs a telemetry script
  // on install.
  const from = join(
    dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui")),
    "static",
  );
  for (const file of FILES) copyFileSync(join(from, file), join(to, file));
  writeFileSync(join(to, "rules.html"), rulesPage());
  writeFileSync(join(to, "integrations.html"), integrationsPage());
}
