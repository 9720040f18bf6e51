declare namespace Cloudflare {
  interface Env {
    /** The statements that create the tables, indexes and triggers. */
    TEST_SCHEMA: readonly string[];
    /** "full" for generated tests at full size; see `sizes.ts`. */
    TEST_SIZE?: string;
    /** The seed of generated tests. */
    TEST_SEED?: string;
  }
}
