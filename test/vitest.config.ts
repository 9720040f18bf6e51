import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** A test that takes so long hangs. No test is about its own speed: a slow or busy machine is no fault. */
const PATIENCE_MS = 120_000;

const root = `${resolve(import.meta.dirname, "..")}/`;

/** How much the generated tests are to try, where that is more than `npm test` has time for. */
function asked(): Record<string, string> {
  const { ALERT_HISTORIES, FUZZ_CASES, FUZZ_SEED, LIST_ROWS, ONCALL_CASES } = process.env;
  return {
    ...(ALERT_HISTORIES && { ALERT_HISTORIES }),
    ...(FUZZ_CASES && { FUZZ_CASES }),
    ...(FUZZ_SEED && { FUZZ_SEED }),
    ...(LIST_ROWS && { LIST_ROWS }),
    ...(ONCALL_CASES && { ONCALL_CASES }),
  };
}

/**
 * Four projects, one after the other: `domain` runs pure code in Node; `worker` runs everything else in the real
 * runtime, its files shared out between two runtimes (a runtime per file costs five times as much).
 */
export default defineConfig(async () => {
  // What wrangler.toml names has to be there; the tests of the worker need nothing of it.
  mkdirSync(`${root}dist/assets`, { recursive: true });
  const migrations = await readD1Migrations(`${root}migrations`);
  return {
    root,
    test: {
      projects: [
        {
          root,
          test: {
            name: "domain",
            include: ["test/domain/**/*.test.ts"],
            environment: "node",
            pool: "threads",
            isolate: false,
            testTimeout: PATIENCE_MS,
          },
        },
        {
          root,
          plugins: [
            cloudflareTest({
              wrangler: { configPath: `${root}wrangler.toml` },
              miniflare: {
                bindings: {
                  TEST_MIGRATIONS: migrations,
                  RATE_LIMITS: "off",
                  PUBLIC_URL: "https://tocsin.test",
                  LINK_SECRET: "only the tests sign with this",
                  VAPID_PRIVATE_KEY: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
                  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
                  TWILIO_AUTH_TOKEN: "only the tests' Twilio knows this",
                  TWILIO_FROM: "+15005550006",
                  TWILIO_API: "https://twilio.test",
                  RESEND_API_KEY: "",
                  OIDC_ISSUER: "",
                  OIDC_CLIENT_ID: "",
                  OIDC_CLIENT_SECRET: "",
                  OIDC_NAME: "",
                  PAGES_AT_ONCE: "0",
                  ...asked(),
                },
              },
            }),
          ],
          test: {
            name: "worker",
            include: ["test/worker/**/*.test.ts", "test/contract/**/*.test.ts"],
            setupFiles: [`${root}test/support/migrate.ts`],
            isolate: false,
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
            // A log of an object's, in the last moments of a run, would keep the runner waiting for ever.
            disableConsoleIntercept: true,
            testTimeout: PATIENCE_MS,
            hookTimeout: PATIENCE_MS,
          },
        },
        {
          root,
          test: {
            name: "crash",
            include: ["test/crash/**/*.test.ts"],
            environment: "node",
            sequence: { groupOrder: 2 },
            testTimeout: PATIENCE_MS,
            hookTimeout: PATIENCE_MS,
          },
        },
        {
          root,
          test: {
            name: "browser",
            include: ["test/browser/**/*.test.ts"],
            environment: "node",
            sequence: { groupOrder: 3 },
            testTimeout: PATIENCE_MS,
            hookTimeout: PATIENCE_MS,
          },
        },
      ],
    },
  };
});
