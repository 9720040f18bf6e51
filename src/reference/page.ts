// Copies Swagger UI's script and styles beside the reference page, which loads nothing from another
// host, and writes the references of rules and of integration types. Runs before every start and
// deploy.
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { integrationsPage } from "./integrations/page.ts";
import { rulesPage } from "./rules/page.ts";

const FILES = ["swagger-ui-bundle.js", "swagger-ui.css"];

// Fastify's copy of Swagger UI: the project's own package, swagger-ui-dist, runs a telemetry script
// on install.
const from = join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui")), "static");
const to = join(import.meta.dirname, "assets", "docs");

for (const file of FILES) copyFileSync(join(from, file), join(to, file));
writeFileSync(join(to, "rules.html"), rulesPage());
writeFileSync(join(to, "integrations.html"), integrationsPage());
