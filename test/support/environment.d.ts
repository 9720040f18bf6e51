declare namespace Cloudflare {
  interface Env {
    /** The migrations, read in Node and applied before each test file. */
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}
