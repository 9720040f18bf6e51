// An alert as the previous version stored it (test/fixtures/versions) under the present code.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import previous from "../../fixtures/versions/previous/objects.json" with { type: "json" };
import { type StoredValue, storedAlert } from "../../support/alerts/stored-alert.ts";
import { makeAccount } from "../../support/api/api.ts";
import { alertStub, evict, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

const text = previous.AlertObject.values.alert;

async function store(stub: DurableObjectStub, value: object): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => {
    storage.kv.put("alert", JSON.stringify(value));
  });
  await evict(stub);
}

test("sets the exact timer of an alert that the previous version stored", async () => {
  const dueAt = Date.now() + 600_000;
  const value: StoredValue = JSON.parse(text.replaceAll("1795470198098", String(dueAt)));
  const stub = env.ALERT.getByName("alt_previous-version");
  await store(stub, value);
  // Whatever wakes it.
  await stub.isRunning("nobody's account");
  const alarmAt = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  await vi.waitFor(async () => expect(await alarmAt()).toBe(dueAt), soon);
});

test("stores what the previous version reads, or has a new version or fixture", async () => {
  const account = await makeAccount();
  const person = await makePerson(account, "Ada");
  const team = await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }]);
  const { body } = await account.api("POST", "/alerts", {
    ...{ title: "Disk full", urgency: "high", destination_team_ids: [team.id] },
  });
  const value = await storedAlert(alertStub(body.prefix_id));
  const before: StoredValue = JSON.parse(text);
  const names = (it: object | undefined) => Object.keys(it ?? {}).sort();
  expect(names(value ?? {})).toEqual([...names(before), "v"].sort());
  expect(names(value?.alert)).toEqual(names(before.alert));
  expect(names(value?.alert.workflows[0])).toEqual(names(before.alert.workflows[0]));
});
