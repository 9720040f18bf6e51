// Writes the document to the worker's assets. Run `npm run reference` after a change to the API.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../routes.ts";
import { documentOf } from "./document.ts";

const path = join(import.meta.dirname, "assets", "openapi.json");

writeFileSync(path, `${JSON.stringify(documentOf(routes), null, 2)}\n`);
