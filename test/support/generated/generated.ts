// Runs before each test file: every property of fast-check draws its cases from the seed of the run, and one that does
// not say how many cases it tries tries the usual number of them.
import fc from "fast-check";
import { seed, sized } from "./sizes.ts";

fc.configureGlobal({ seed, numRuns: sized(100, 2_000) });
