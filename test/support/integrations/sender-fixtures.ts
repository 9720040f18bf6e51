// Recorded requests of real senders, one file per integration type in `fixtures/senders`. A new
// type needs one, with the origin of its requests, whether they are verified, and the required
// requests. The request that fires is the sample of the type's set-up.
import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { isJsonObject } from "../../../src/domain/shared/json.ts";
import type { InboundRequest, IntegrationType } from "../../../src/products/integration-type.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import type { Sample } from "../../../src/products/set-up.ts";
import { storedSetUps } from "../../../src/products/stored-set-ups.ts";
import { inbound } from "../worker/fixtures.ts";

/** A sender's request, and the expected fields of its event. */
export type Sent = Omit<Sample, "body"> & {
  /** JSON, or a string that is sent unchanged. */
  readonly body: unknown;
  readonly gives?: object;
};

export type SenderFixture = {
  /** The sender's documentation or source, or the program that was run. */
  readonly origin: string;
  /** False if the sender's documentation was not available; the type's description says so. */
  readonly verified: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly requests: Readonly<Record<string, Sent>> & {
    readonly fire: Sent;
    /** A repetition of `fire`. */
    readonly duplicate: Sent;
    /** The request of the sender's "send a test". */
    readonly test: Sent;
    /** Truncated, or without a required field. */
    readonly malformed: Sent;
    /** A valid request that is not an alert. */
    readonly unrelated: Sent;
  };
};

/** Types whose alerts no request creates (test/worker/integrations/heartbeat.test.ts). */
export const SILENT = ["heartbeat"];

const folder = resolve(import.meta.dirname, "../../fixtures/senders");

function readFixture(file: string): SenderFixture {
  const fixture = JSON.parse(readFileSync(resolve(folder, file), "utf8")) as SenderFixture;
  const fire = { ...storedSetUps[basename(file, ".json")]?.sample, ...fixture.requests.fire };
  return { ...fixture, requests: { ...fixture.requests, fire } };
}

/** The fixture of each type, by the type's name. */
export const senderFixtures: ReadonlyMap<string, SenderFixture> = new Map(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => [basename(file, ".json"), readFixture(file)]),
);

/** Every type that has a fixture. */
export const typesWithFixtures: readonly (readonly [string, IntegrationType, SenderFixture])[] =
  integrationTypes.flatMap((type) => {
    const fixture = senderFixtures.get(type.name);
    return fixture === undefined ? [] : [[type.name, type, fixture] as const];
  });

const RECEIVER_URL = "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA";

/** Parses a request as the receiver does. */
export function readSent({ headers, method, query = "", body }: Sent): InboundRequest {
  const request = inbound(body, headers, RECEIVER_URL + query);
  return method === undefined ? request : { ...request, method };
}

/** The value with one scalar changed, for each scalar of which `change` makes something else. */
export function* variants(
  value: unknown,
  change: (scalar: unknown) => unknown,
): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      for (const changed of variants(inner, change)) yield value.with(index, changed);
    }
  } else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      for (const changed of variants(inner, change)) yield { ...value, [key]: changed };
    }
  } else if (value !== null && value !== undefined && value !== "") {
    const changed = change(value);
    if (changed !== value) yield changed;
  }
}
