// Runs before each test file: sets the seed and the default number of cases of every fast-check
// property.
import fc from "fast-check";
import { seed, sized } from "./sizes.ts";

fc.configureGlobal({ seed, numRuns: sized(100, 2_000) });
