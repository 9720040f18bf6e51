// Requests of real senders, one file a type in `fixtures/senders`: what each type is tried with. A new type needs one:
// where its requests are from, whether they could be checked, and the requests that every sender makes.
import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type {
  InboundRequest,
  IntegrationType,
} from "../../../src/integrations/integration-type.ts";
import { integrationTypes } from "../../../src/integrations/registry.ts";
import { inbound } from "../worker/fixtures.ts";

/** A request as a sender made it, and what of its one event is known. */
export type Sent = {
  readonly headers: Readonly<Record<string, string>>;
  /** POST where none is said. */
  readonly method?: string;
  /** What follows the integration's URL: a query, or a path. */
  readonly query?: string;
  /** JSON, or text as it is. */
  readonly body: unknown;
  readonly gives?: object;
};

export type SenderFixture = {
  /** The sender's documentation or source, or the program that was run. */
  readonly origin: string;
  /** False where the sender's own documentation could not be had: the type's description says so. */
  readonly verified: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly requests: Readonly<Record<string, Sent>> & {
    readonly fire: Sent;
    /** The same, happening again. */
    readonly duplicate: Sent;
    /** What its "send a test" sends. */
    readonly test: Sent;
    /** Cut off, or without what every one of its requests has. */
    readonly malformed: Sent;
    /** Something it may send that is no alert. */
    readonly unrelated: Sent;
  };
};

/** Nobody sends a heartbeat's alert: silence does (test/worker/integrations/heartbeat.test.ts). */
export const SILENT = ["heartbeat"];

const folder = resolve(import.meta.dirname, "../../fixtures/senders");

/** The fixture of each type, by the type's name. */
export const senderFixtures: ReadonlyMap<string, SenderFixture> = new Map(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => [
      basename(file, ".json"),
      JSON.parse(readFileSync(resolve(folder, file), "utf8")) as SenderFixture,
    ]),
);

/** Every type that has a fixture, with it. */
export const typesWithFixtures: readonly (readonly [string, IntegrationType, SenderFixture])[] =
  integrationTypes.flatMap((type) => {
    const fixture = senderFixtures.get(type.name);
    return fixture === undefined ? [] : [[type.name, type, fixture] as const];
  });

const URL_OF_ALL = "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA";

/** The request as the receiver reads it. */
export function readSent({ headers, method, query = "", body }: Sent): InboundRequest {
  const request = inbound(body, headers, URL_OF_ALL + query);
  return method === undefined ? request : { ...request, method };
}
