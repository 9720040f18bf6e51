// Generates the numbering plans that the worker parses phone numbers with. Run `npm run
// numbering-plans` after an update of libphonenumber-js.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import metadata from "libphonenumber-js/min/metadata";
import { sourceOf } from "../domain/people/plans.ts";

const path = join(import.meta.dirname, "../domain/people/numbering-plans.ts");

writeFileSync(path, sourceOf(metadata));
