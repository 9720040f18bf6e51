// A standby that was emptied, after a take-over or a drill: each of its objects wakes once more, finds nothing, and rests.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import {
  BACKUP_OBJECTS,
  type BackupObjectKind,
} from "../../../src/domain/operations/backup/backup-format.ts";
import { readObjectNames } from "../../../src/features/operations/backup/backup-rows.ts";
import { wipe } from "../../../src/features/operations/standby/wipe.ts";
import { backedUpObject } from "../../../src/features/stubs.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeInhabited } from "../../support/worker/inhabited.ts";

const names = new Map<BackupObjectKind, readonly string[]>();
beforeAll(async () => {
  const { ids } = await makeInhabited("lighthouse");
  for (const kind of BACKUP_OBJECTS) {
    const objects = await readObjectNames(env.DB, kind, null, 100);
    names.set(
      kind,
      objects.map(({ name }) => name),
    );
  }
  // It has ended, and its object is empty already.
  names.set("bulk_operation", [ids.bulk_operation.prefixId]);
  await wipe(env);
});

let logged: MockInstance;
beforeEach(() => {
  logged = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

test.each(BACKUP_OBJECTS)(
  "an object that was emptied neither fails nor wakes again: %s",
  async (kind) => {
    expect(names.get(kind)).not.toEqual([]);
    for (const name of names.get(kind) ?? []) {
      const stub = backedUpObject(env, kind, name) as unknown as DurableObjectStub;
      await runDurableObjectAlarm(stub);
      // Also if the alarm that the wipe set had fired before.
      await runInDurableObject(stub, (object: DurableObject) => object.alarm?.());
      const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
      await vi.waitFor(async () => expect(await alarm()).toBeNull(), soon);
      expect(await backedUpObject(env, kind, name).readState()).toBeNull();
    }
    expect(logged.mock.calls).toEqual([]);
  },
);
