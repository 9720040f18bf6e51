// Writes the OpenAPI document of all routes; `npm run assets` does it with the other assets.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../routes.ts";
import { documentOf } from "./document.ts";

/** Writes the document into a folder, under the name by which it is served. */
export const writeDocument = (folder: string): void =>
  writeFileSync(join(folder, "openapi.json"), `${JSON.stringify(documentOf(routes), null, 2)}\n`);
