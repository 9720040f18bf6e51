declare namespace Cloudflare {
  interface Env {
    /** The migrations, read in Node and applied before each test file. */
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** "full" for generated tests at full size; see `sizes.ts`. */
    TEST_SIZE?: string;
    /** The seed of generated tests. */
    TEST_SEED?: string;
  }
}
