// Every object is asked for where the deployment says that objects live: an object asked for elsewhere is another one.
import { expect, test } from "vitest";
import { BACKUP_OBJECTS } from "../../../src/domain/operations/backup/backup-format.ts";
import * as stubs from "../../../src/features/stubs.ts";

const BINDINGS = [
  ...["ALERT", "LIVE", "TEAM", "SCHEDULE", "CALENDAR_IMPORT", "ABSENCE_CALENDAR", "PERSON"],
  ...["BROADCAST", "COVER_REQUEST", "INTEGRATION_INBOX", "DEDUP_KEY", "WELCOME", "ACCESS_MAIL"],
  ...["SECURITY_MAIL", "OUTGOING", "BULK_OPERATION", "OPERATIONS", "STANDBY"],
];

/** Objects whose stubs say how they were asked for. */
function environment(variables: Readonly<Record<string, string>>): Cloudflare.Env {
  const namespace = (place: string): object => ({
    jurisdiction: (name: string) => namespace(name),
    getByName: (_name: string, options?: { readonly locationHint?: string }) => ({
      asked: [place, options?.locationHint ?? ""],
      fetch: () => Promise.resolve({ asked: [place, options?.locationHint ?? ""] }),
    }),
  });
  const bound = Object.fromEntries(BINDINGS.map((it) => [it, namespace("anywhere")]));
  return { JURISDICTION: "", LOCATION_HINT: "", ...variables, ...bound } as never;
}

const KINDS = ["alert", "schedule", "team", "person", "broadcast", "absence", "inbox"];
const MORE = ["outgoing", "welcome", "access_mail"];

/** What every function of the file asks for. */
async function askedFor(variables: Readonly<Record<string, string>>): Promise<unknown[]> {
  const env = environment(variables);
  const named = Object.entries(stubs).flatMap(([name, it]) =>
    typeof it === "function" &&
    !["anonymizingObject", "backedUpObject", "notifyWatchers", "openLiveSocket"].includes(name)
      ? [(it as (env: Cloudflare.Env, name: string) => unknown)(env, "x")]
      : [],
  );
  const anonymizing = [...KINDS, ...MORE].map((kind) =>
    stubs.anonymizingObject(env, kind as never, "x"),
  );
  const backedUp = BACKUP_OBJECTS.map((kind) => stubs.backedUpObject(env, kind, "x"));
  const live = await stubs.openLiveSocket(env, { accountId: "x" } as never);
  const all = [...named, ...anonymizing, ...backedUp, live] as unknown as readonly {
    readonly asked: unknown;
  }[];
  expect(all.length).toBeGreaterThan(25);
  return [...new Set(all.map(({ asked }) => JSON.stringify(asked)))];
}

test("objects are asked for anywhere, in the jurisdiction, or near the location", async () => {
  expect(await askedFor({})).toEqual(['["anywhere",""]']);
  expect(await askedFor({ JURISDICTION: "eu" })).toEqual(['["eu",""]']);
  expect(await askedFor({ LOCATION_HINT: "weur" })).toEqual(['["anywhere","weur"]']);
});
