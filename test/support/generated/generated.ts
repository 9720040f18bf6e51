// Runs before each test file: sets the seed and the default number of cases of every fast-check
// property.
import fc from "fast-check";
import { seed, sized } from "./sizes.ts";

// In the worker, a case takes about a second: shrinking would use up the test's time, and its report
// would say no more than that. TEST_SEED repeats the failure.
const endOnFailure = "navigator" in globalThis && navigator.userAgent === "Cloudflare-Workers";

fc.configureGlobal({ seed, numRuns: sized(50, 2_000), endOnFailure });
