declare namespace Cloudflare {
  interface Env {
    /** The migrations, read in Node and applied before each test file. */
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** How many random histories of an alert to play. */
    ALERT_HISTORIES?: string;
    /** How many generated requests to try. */
    FUZZ_CASES?: string;
    /** The seed that a failure printed. */
    FUZZ_SEED?: string;
    /** How many rows the larger of two tables has when what a page reads is compared. */
    LIST_ROWS?: string;
    /** How many times the usual number of schedules to generate. */
    ONCALL_CASES?: string;
  }
}
