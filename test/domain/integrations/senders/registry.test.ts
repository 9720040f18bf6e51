import { expect, test } from "vitest";
import { optionsOf } from "../../../../src/products/common-options.ts";
import { integrationTypeNamed, integrationTypes } from "../../../../src/products/registry.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

test("finds every type by its unique name", () => {
  const names = integrationTypes.map((type) => type.name);
  expect(names).toEqual(expect.arrayContaining(["webhook", "prometheus"]));
  expect(new Set(names).size).toBe(names.length);
  for (const type of integrationTypes) {
    expect(type.name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(integrationTypeNamed(type.name)).toBe(type);
  }
});

test.each(["", "Webhook", "unknown", "__proto__", "constructor"])("%j is not a type", (name) => {
  expect(integrationTypeNamed(name)).toBeNull();
});

/** The defaults of the vendor's own adapters: who moves in with them loses no page. */
test.each([
  ["statusgator", "create_on_warn", true],
  ["statusgator", "create_on_maintenance", true],
  ["datadog", "support_retriggered_event", false],
  ["jira", "create_on_update", false],
  ["zabbix", "map_urgency", false],
  ["email", "group_by", "thread"],
  ["webhook", "capture_additional_data", false],
])("the default of %s's option %s is the vendor's", (name, key, expected) => {
  const type = integrationTypes.find((one) => one.name === name);
  const options = type ? optionsOf(type) : [];
  expect(options.find((option) => option.key === key)?.default).toBe(expected);
});

test("StatusGator's warnings and maintenance open alerts unless they are switched off", () => {
  const type = integrationTypeNamed("statusgator");
  const kindOf = (status: string, options: object) =>
    type?.translate(inbound({ status, monitor: { id: "1" }, message: "x" }), { ...options })[0]
      ?.kind;
  expect(["warn", "maintenance"].map((it) => kindOf(it, {}))).toEqual(["create", "create"]);
  const off = { create_on_warn: false, create_on_maintenance: false };
  expect(["warn", "maintenance"].map((it) => kindOf(it, off))).toEqual(["ignored", "ignored"]);
});
